// Package manifest holds what a release says about itself: manifest.json.
//
// The fields follow the disclosure points of NIST SP 800-226 and the names of
// the OpenDP Deployments Registry. Whatever is not known says "not evaluated"
// and is never left out. Nothing in a manifest may leak: there are dates but
// no times, relative names of released files but no paths, and no hash of
// private input unless it is keyed; [Manifest.Check] refuses what breaks that.
//
// A manifest of a private release is signed with ed25519 over its canonical
// JSON (RFC 8785). One whose guarantee is void is never signed: it carries
// hashes for integrity only and says so. [Verify] checks every file of a
// release against its manifest.
//
// [OpenDPRegistry] and [BIDS] export a manifest for those who catalogue
// releases.
package manifest
