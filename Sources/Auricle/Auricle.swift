// Auricle
