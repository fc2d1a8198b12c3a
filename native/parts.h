/* What the module is made of: its types and functions, and what prepares them. */
#ifndef SUPREMUM_PARTS_H
#define SUPREMUM_PARTS_H

#include "base.h"

extern PyMethodDef type_functions[], cast_functions[], array_functions[], state_functions[], hook_functions[],
    operator_functions[], random_functions[], counting_functions[], dtype_functions[], batch_functions[],
    loss_functions[], tape_functions[];
extern PyType_Spec array_spec, deleted_spec, plan_spec, state_spec, scope_spec, operation_spec, function_spec,
    ufunc_spec, plain_spec, at_spec, update_spec, program_spec, chain_spec, axis_spec, batch_spec, level_spec,
    record_spec, dual_spec;
extern PyTypeObject *FunctionType, *UfuncType, *PlainType, *AtType, *UpdateType, *ProgramType, *ChainType, *LevelType,
    *RecordType, *DualType;
/* Prepare what files have, when the module is loaded: 0, or -1 with an exception. */
void tapes_ready(void);
int types_ready(void), args_ready(void), hooks_ready(void), state_ready(PyObject *module), functions_ready(void);

#endif
