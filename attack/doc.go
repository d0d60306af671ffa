// Package attack tries to learn what a release should not tell: who is in it
// ([Identify], [Fused]), whether somebody is in it ([Subtraction]), what was
// under the noise ([Filter]); and, with the same learners, what it is meant to
// tell ([Task]).
//
// Every [Result] stands beside its chance and majority lines, an exact interval
// with persons as trials, and, where a guarantee was claimed, the [Ceiling]
// that it puts on any attack. A claim is called falsified only if its conditions
// hold and the lower limit lies above the ceiling. An attack that fails proves
// nothing, least of all one that also fails on raw data: [Result.Against] says
// so.
//
// Attackers are trained on protected data unless told otherwise: those trained
// on raw data are weak, and releases look safer than they are.
package attack
