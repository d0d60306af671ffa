package manifest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// GenerateKey makes a signing key from 32 bytes of random, which must be
// secure: a [github.com/gazeward/gazeward/noise.Source] that says that it is
// seeded is refused.
func GenerateKey(random io.Reader) (ed25519.PrivateKey, error) {
	if s, ok := random.(interface{ Seeded() bool }); ok && s.Seeded() {
		return nil, errors.New("manifest: a signing key must not come from a seeded source")
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return nil, fmt.Errorf("manifest: cannot read randomness: %w", err)
	}
	defer clear(seed)
	return ed25519.NewKeyFromSeed(seed), nil
}

// Fingerprint is "SHA256:" and the unpadded base64 of the SHA-256 of the
// public key in DER (SubjectPublicKeyInfo).
func Fingerprint(key ed25519.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil { // only for types that are no public keys
		return ""
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// sameFingerprint compares as people paste them: with or without prefix and
// padding.
func sameFingerprint(a, b string) bool {
	bare := func(s string) string {
		return strings.TrimRight(strings.TrimPrefix(strings.TrimSpace(s), "SHA256:"), "=")
	}
	return bare(a) != "" && bare(a) == bare(b)
}

// PrivatePEM encodes a key as PKCS #8 in PEM.
func PrivatePEM(key ed25519.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("manifest: cannot encode the signing key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// ParsePrivatePEM reads what [PrivatePEM] writes. Errors never quote the input.
func ParsePrivatePEM(data []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, errors.New("manifest: the signing key is no PKCS #8 key in PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("manifest: the signing key cannot be read")
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("manifest: the signing key must be ed25519, got %T", key)
	}
	return private, nil
}

// PublicPEM encodes a public key as SubjectPublicKeyInfo in PEM.
func PublicPEM(key ed25519.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", fmt.Errorf("manifest: cannot encode the public key: %w", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), nil
}

// ParsePublicPEM reads what [PublicPEM] writes.
func ParsePublicPEM(data []byte) (ed25519.PublicKey, error) {
	block, rest := pem.Decode(data)
	if block == nil || block.Type != "PUBLIC KEY" || len(rest) != 0 {
		return nil, errors.New("manifest: the public key is no key in PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, errors.New("manifest: the public key cannot be read")
	}
	public, ok := key.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("manifest: the public key must be ed25519, got %T", key)
	}
	return public, nil
}

// LoadKey reads the signing key in a file, or makes one there, readable by its
// owner alone, when the file does not exist.
func LoadKey(file string, random io.Reader) (key ed25519.PrivateKey, created bool, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		key, err = ParsePrivatePEM(data)
		return key, false, err
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, false, fmt.Errorf("manifest: cannot read the signing key: %w", err)
	}
	if key, err = GenerateKey(random); err != nil {
		return nil, false, err
	}
	if data, err = PrivatePEM(key); err != nil {
		return nil, false, err
	}
	return key, true, writeNew(file, data)
}

// writeNew never overwrites: losing a race must not lose the other's key.
func writeNew(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("manifest: cannot store the signing key: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return errors.Join(fmt.Errorf("manifest: cannot store the signing key: %w", err), os.Remove(file))
	}
	return nil
}
