// Package metric says how much of a result survived protection.
//
// Maps are compared as vectors of cells of one grid: correlation ([CC]), mean
// squared error ([MSE]), and for densities histogram intersection ([SIM]) and
// two divergences ([KL], [JSD]); a map is scored against fixations by [NSS] and
// [AUC]. Definitions follow the MIT saliency benchmark (Bylinskii, Judd, Oliva,
// Torralba and Durand 2019, "What do different evaluation metrics tell us about
// saliency models?", IEEE TPAMI 41(3)); where they leave room, the comment says
// what is done here.
//
// No function returns NaN or infinity without an error.
package metric
