// FilterUnit
