// OfflineBackend
