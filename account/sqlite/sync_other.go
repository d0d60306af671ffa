//go:build !unix

package sqlite

// syncDir does nothing: directories cannot be synchronised here.
func syncDir(string) error { return nil }
