// Package vive reads logs of HTC Vive headsets with eye tracking that a Unity
// program wrote with SRanipal: a table with unit vectors of both eyes in the
// head's frame and the head's rotation.
//
// Positions are yaw (right) and pitch (up) of each eye in the head, in degrees;
// the head's yaw, pitch and roll are signals. Eye origins and head positions,
// which say how a person is built, do not enter.
package vive
