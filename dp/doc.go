// Package dp holds privacy guarantees as values: the measure and its
// parameters, the unit of privacy, the neighbour relation, the model of
// trust, what stays unprotected, and whether the guarantee is void.
//
// A number ε without its unit is not a guarantee, so the parts never travel
// alone. Conversions between measures round against us: what they return is
// an upper bound on the privacy loss. The package reads no data, draws no
// noise and imports nothing of the project.
package dp
