package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds on what [Canonical] reads.
const (
	maxManifest = 16 << 20 // bytes
	maxDepth    = 64
)

// Canonical returns JSON in the form of RFC 8785 (JSON Canonicalization
// Scheme): keys sorted, no insignificant whitespace, numbers as ECMAScript
// prints them. It refuses duplicate keys, text that is not UTF-8, what is
// deeper than 64 or larger than 16 MiB, and anything after the value.
func Canonical(data []byte) ([]byte, error) { return canonical(data, "") }

// canonical leaves out one member of the outermost object.
func canonical(data []byte, without string) ([]byte, error) {
	if len(data) > maxManifest {
		return nil, fmt.Errorf("manifest: JSON must have at most %d bytes, got %d", maxManifest, len(data))
	}
	if !utf8.Valid(data) {
		return nil, errors.New("manifest: JSON must be UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	c := canonicalizer{decoder: d, without: without}
	out, err := c.value(nil, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("manifest: there is something after the JSON value")
	}
	return out, nil
}

type canonicalizer struct {
	decoder *json.Decoder
	without string
}

func (c *canonicalizer) value(out []byte, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("manifest: JSON must be at most %d deep", maxDepth)
	}
	token, err := c.decoder.Token()
	if err != nil {
		return nil, fmt.Errorf("manifest: not JSON: %w", err)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return c.object(out, depth)
		}
		return c.array(out, depth)
	case string:
		return appendString(out, t), nil
	case json.Number:
		return appendNumber(out, t)
	case bool:
		return strconv.AppendBool(out, t), nil
	}
	return append(out, "null"...), nil
}

func (c *canonicalizer) array(out []byte, depth int) ([]byte, error) {
	out = append(out, '[')
	var err error
	for i := 0; c.decoder.More(); i++ {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = c.value(out, depth+1); err != nil {
			return nil, err
		}
	}
	return c.end(append(out, ']'))
}

// end reads the closing delimiter.
func (c *canonicalizer) end(out []byte) ([]byte, error) {
	if _, err := c.decoder.Token(); err != nil {
		return nil, fmt.Errorf("manifest: not JSON: %w", err)
	}
	return out, nil
}

type member struct {
	order []uint16 // RFC 8785 sorts by UTF-16 code units
	key   string
	value []byte
}

func (c *canonicalizer) object(out []byte, depth int) ([]byte, error) {
	var members []member
	for c.decoder.More() {
		token, err := c.decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("manifest: not JSON: %w", err)
		}
		key, _ := token.(string)
		v, err := c.value(nil, depth+1)
		if err != nil {
			return nil, err
		}
		members = append(members, member{utf16.Encode([]rune(key)), key, v})
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.order, b.order) })
	out = append(out, '{')
	first := true
	for i, m := range members {
		if i > 0 && members[i-1].key == m.key {
			return nil, errors.New("manifest: JSON has the same key twice in one object")
		}
		if depth == 0 && c.without != "" && m.key == c.without {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(appendString(out, m.key), ':')
		out = append(out, m.value...)
	}
	return c.end(append(out, '}'))
}

// appendNumber writes a number as ECMAScript's Number::toString does.
func appendNumber(out []byte, n json.Number) ([]byte, error) {
	v, err := n.Float64()
	if err != nil || math.IsInf(v, 0) {
		return nil, errors.New("manifest: JSON has a number that is no float64")
	}
	if v == 0 {
		return append(out, '0'), nil // also −0
	}
	if a := math.Abs(v); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(out, v, 'f', -1, 64), nil
	}
	b := strconv.AppendFloat(nil, v, 'e', -1, 64)
	if k := len(b); k >= 4 && b[k-4] == 'e' && b[k-2] == '0' { // e-07 is written e-7
		b = append(b[:k-2], b[k-1])
	}
	return append(out, b...), nil
}

// appendString escapes what must be escaped, and nothing else.
func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := range len(s) {
		switch b := s[i]; {
		case b == '"' || b == '\\':
			out = append(out, '\\', b)
		case b >= 0x20:
			out = append(out, b)
		default:
			if short := shortEscape(b); short != 0 {
				out = append(out, '\\', short)
			} else {
				out = append(out, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
			}
		}
	}
	return append(out, '"')
}

func shortEscape(b byte) byte {
	switch b {
	case '\b':
		return 'b'
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\f':
		return 'f'
	case '\r':
		return 'r'
	}
	return 0
}
