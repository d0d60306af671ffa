// Package gazetest is the test room for everything that takes recordings: small
// simulated cohorts, recordings with something wrong about them, and ways to
// cut, copy and compare them. Nothing in it is anybody's gaze.
package gazetest
