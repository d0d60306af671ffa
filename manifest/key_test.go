package manifest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

func TestGenerateKey(t *testing.T) {
	a, err := GenerateKey(noise.Secure())
	if err != nil {
		t.Fatal(err)
	}
	b, err := GenerateKey(noise.Secure())
	if err != nil {
		t.Fatal(err)
	}
	if a.Equal(b) {
		t.Error("two keys are the same")
	}
	if _, err := GenerateKey(noise.Seeded(1)); err == nil {
		t.Error("a seeded source made a key")
	}
	if _, err := GenerateKey(bytes.NewReader(make([]byte, 31))); err == nil {
		t.Error("31 bytes made a key")
	}
}

func TestKeysRoundTrip(t *testing.T) {
	key := testKey(t, 3)
	text, err := PrivatePEM(key)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParsePrivatePEM(text); err != nil || !back.Equal(key) {
		t.Errorf("private: %v", err)
	}
	public := key.Public().(ed25519.PublicKey)
	open, err := PublicPEM(public)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParsePublicPEM([]byte(open)); err != nil || !back.Equal(public) {
		t.Errorf("public: %v", err)
	}
	if _, err := ParsePublicPEM(text); err == nil {
		t.Error("a private key was read as a public one")
	}
	if _, err := ParsePublicPEM([]byte(open + "x")); err == nil {
		t.Error("something after the key was overlooked")
	}
}

func TestParseKeyRefuses(t *testing.T) {
	rsaKey, err := x509.MarshalPKCS8PrivateKey(&rsa.PrivateKey{})
	if err == nil {
		t.Fatalf("an empty RSA key was encoded: %x", rsaKey)
	}
	secret := "c2VjcmV0IGtleSBtYXRlcmlhbA=="
	for _, in := range []string{
		"", secret, "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n",
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: []byte(secret)})),
	} {
		if _, err := ParsePrivatePEM([]byte(in)); err == nil || strings.Contains(err.Error(), "c2Vjc") || strings.Contains(err.Error(), "secret") {
			t.Errorf("want an error that quotes nothing, got %v", err)
		}
	}
}

func TestFingerprint(t *testing.T) {
	f := fingerprintOf(testKey(t, 0))
	if f != "SHA256:M54v+RdjBQe2pCO1zghOKF0fpl2Ts+J6YZXTu+vJriM" {
		t.Errorf("the fingerprint of the key of 32 zeros changed: %s", f)
	}
	bare := strings.TrimPrefix(f, "SHA256:")
	for _, same := range []string{f, bare, bare + "=", " " + f + "\n"} {
		if !sameFingerprint(same, f) {
			t.Errorf("%q is not taken for %q", same, f)
		}
	}
	for _, other := range []string{"", "SHA256:", strings.ToLower(f), f[:20], fingerprintOf(testKey(t, 1))} {
		if sameFingerprint(other, f) {
			t.Errorf("%q is taken for %q", other, f)
		}
	}
}

func TestLoadKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "signing.pem")
	first, created, err := LoadKey(file, noise.Secure())
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key has mode %v", info.Mode())
	}
	again, created, err := LoadKey(file, nil)
	if err != nil || created || !again.Equal(first) {
		t.Errorf("loaded again: created %v, %v", created, err)
	}
	if err := os.WriteFile(file, []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := LoadKey(file, noise.Secure()); err == nil {
		t.Error("a spoilt key was replaced in silence")
	}
	if _, _, err := LoadKey(filepath.Join(t.TempDir(), "no", "folder.pem"), noise.Secure()); err == nil || errors.Is(err, fs.ErrExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestStoredKeysAreNotOverwritten: of two programs that make a key at once,
// one fails.
func TestStoredKeysAreNotOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "signing.pem")
	if err := writeNew(file, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := writeNew(file, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("want %v, got %v", fs.ErrExist, err)
	}
	if got, _ := os.ReadFile(file); string(got) != "first" {
		t.Errorf("the key is now %q", got)
	}
}
