// Nothing: what importing any module costs.
export {}
