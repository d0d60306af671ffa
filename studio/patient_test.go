//go:build !slow

package studio

// patient is set for the long tests.
const patient = false
