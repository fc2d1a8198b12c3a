"""scikit-learn with array_api_dispatch=True."""

import warnings

import numpy as np
import pytest
from client_checks import ours

import supremum as xp

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn import decomposition, discriminant_analysis, linear_model, metrics, preprocessing  # noqa: E402 - importorskip must be called first

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 5)).astype(np.float32)
Y = (X @ np.array([1, -2, 0.5, 0, 3], np.float32)).astype(np.float32)
LABELS = (Y > 0).astype(np.int32)


@pytest.fixture(autouse=True)
def _dispatch():
    with sklearn.config_context(array_api_dispatch=True):
        yield


TRANSFORMERS = {
    "StandardScaler": preprocessing.StandardScaler,
    "MinMaxScaler": preprocessing.MinMaxScaler,
    "MaxAbsScaler": preprocessing.MaxAbsScaler,
    "Normalizer": preprocessing.Normalizer,
    "Binarizer": preprocessing.Binarizer,
    "PolynomialFeatures": lambda: preprocessing.PolynomialFeatures(2),
    "PCA": lambda: decomposition.PCA(2, svd_solver="full"),
    "PCA, covariance_eigh": lambda: decomposition.PCA(2, svd_solver="covariance_eigh"),
}


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_transformer(name):
    expected = TRANSFORMERS[name]().fit_transform(X)
    found = TRANSFORMERS[name]().fit_transform(xp.asarray(X))
    ours(found, expected, np.float32, rtol=1e-3, atol=1e-4)


def test_ridge():
    a = linear_model.Ridge(alpha=1.0, solver="svd").fit(X, Y)
    b = linear_model.Ridge(alpha=1.0, solver="svd").fit(xp.asarray(X), xp.asarray(Y))
    ours(b.coef_, a.coef_, np.float32, rtol=1e-3)
    ours(b.predict(xp.asarray(X)), a.predict(X), np.float32, rtol=1e-3, atol=1e-3)


def test_linear_discriminant_analysis():
    a = discriminant_analysis.LinearDiscriminantAnalysis().fit(X, LABELS)
    b = discriminant_analysis.LinearDiscriminantAnalysis().fit(xp.asarray(X), xp.asarray(LABELS))
    ours(b.predict(xp.asarray(X)), a.predict(X), np.int32)


METRICS = {
    "accuracy_score": lambda m: metrics.accuracy_score(m(LABELS), m(1 - LABELS)),
    "balanced_accuracy_score": lambda m: metrics.balanced_accuracy_score(m(LABELS), m(LABELS)),
    "f1_score": lambda m: metrics.f1_score(m(LABELS), m(LABELS)),
    "confusion_matrix": lambda m: metrics.confusion_matrix(m(LABELS), m(LABELS)),
    "mean_squared_error": lambda m: metrics.mean_squared_error(m(Y), m(Y + 1)),
    "mean_absolute_error": lambda m: metrics.mean_absolute_error(m(Y), m(Y + 1)),
    "r2_score": lambda m: metrics.r2_score(m(Y), m(Y + 1)),
    "log_loss": lambda m: metrics.log_loss(m(LABELS), m(np.clip(np.abs(X[:, 0]) / 4, 0.01, 0.99))),
    "pairwise cosine": lambda m: metrics.pairwise.cosine_similarity(m(X[:4])),
    "pairwise euclidean": lambda m: metrics.pairwise.euclidean_distances(m(X[:4]), m(X[4:8])),
    "pairwise rbf": lambda m: metrics.pairwise.rbf_kernel(m(X[:4])),
}


@pytest.mark.parametrize("name", METRICS)
def test_metric(name):
    expected = METRICS[name](np.asarray)
    found = METRICS[name](xp.asarray)
    assert isinstance(found, float | int | xp.Array)
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-4, atol=1e-5)


def test_cross_validation():
    from sklearn.model_selection import cross_val_score

    estimator = linear_model.Ridge(solver="svd")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a = cross_val_score(estimator, X, Y)
        b = cross_val_score(estimator, xp.asarray(X), xp.asarray(Y))
    np.testing.assert_allclose(np.asarray(b), a, rtol=1e-3)


def test_parallel_cross_validation_of_numpys_arrays():
    from sklearn.model_selection import cross_val_score

    # scikit-learn passes the filters of warnings to its workers, and reads the pattern of each.
    with sklearn.config_context(array_api_dispatch=False):
        found = cross_val_score(linear_model.LogisticRegression(), X, LABELS, n_jobs=2)
    assert found.shape == (5,)
    assert (found > 0.5).all()
