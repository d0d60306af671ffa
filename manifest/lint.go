package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ErrLeak is returned where a manifest would tell what it must not.
var ErrLeak = errors.New("manifest: would leak")

// The rules of what looks like a path on somebody's machine or a time of day.
var (
	absolutePath = regexp.MustCompile(`(^|[\s"'=(\[,;:])(~?/[\pL\pN._@%+-]+(/[\pL\pN._@%+ -]*)+|/(home|Users|root|tmp|var|mnt|media|data|srv|opt)\b)|file://|[A-Za-z]:\\|\\\\[\pL\pN]`)
	timeOfDay    = regexp.MustCompile(`\d{4}-\d{2}-\d{2}[T ]\d{1,2}:?\d{2}|\b\d{1,2}:\d{2}:\d{2}`)
)

// Check reports an [ErrLeak] when a text of the manifest looks like an
// absolute path or a time of day, or holds one of the given secrets (names of
// participants and files) as a word. Secrets of fewer than four characters, or
// without a letter, are not looked for: they occur everywhere. The error names
// the field, never the text.
func (m *Manifest) Check(secrets ...string) error {
	copied := *m
	copied.Signature = Signature{}
	data, err := json.Marshal(&copied)
	if err != nil {
		return fmt.Errorf("manifest: cannot be written as JSON: %w", err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return fmt.Errorf("manifest: cannot be written as JSON: %w", err)
	}
	return checker{searchable(secrets)}.walk("", tree)
}

type checker struct{ secrets []string }

func searchable(secrets []string) []string {
	var out []string
	for _, s := range secrets {
		s = strings.ToLower(strings.TrimSpace(s))
		if len([]rune(s)) >= 4 && strings.ContainsFunc(s, unicode.IsLetter) {
			out = append(out, s)
		}
	}
	return out
}

func (c checker) walk(at string, node any) error {
	switch v := node.(type) {
	case string:
		return c.text(at, v)
	case []any:
		for i, e := range v {
			if err := c.walk(at+"["+strconv.Itoa(i)+"]", e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := errors.Join(c.text(at, k), c.walk(strings.TrimPrefix(at+"."+k, "."), v[k])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c checker) text(at, s string) error {
	if absolutePath.MatchString(s) {
		return fmt.Errorf("%w: %s holds what looks like an absolute path", ErrLeak, at)
	}
	if timeOfDay.MatchString(s) {
		return fmt.Errorf("%w: %s holds what looks like a time of day", ErrLeak, at)
	}
	lower := strings.ToLower(s)
	for _, secret := range c.secrets {
		if hasWord(lower, secret) {
			return fmt.Errorf("%w: %s holds a private name", ErrLeak, at)
		}
	}
	return nil
}

// hasWord reports whether word occurs in s and is not part of a longer word.
func hasWord(s, word string) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest, seen := s, ""; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		before := []rune(seen + rest[:i])
		after := []rune(rest[i+len(word):])
		if (len(before) == 0 || !letter(before[len(before)-1])) && (len(after) == 0 || !letter(after[0])) {
			return true
		}
		seen, rest = seen+rest[:i+1], rest[i+1:]
	}
}

// CommandLine returns a command line that may be published. The words of
// public stay: verbs ("protect"), flags without a value ("--json"), and flags
// with one, listed as "--epsilon=", whose values stay too unless they look
// like a file or folder. Everything else that is no flag becomes DATA; other
// flags are left out.
func CommandLine(args []string, public []string) Text {
	if len(args) == 0 {
		return ""
	}
	words := []string{"gazeward"}
	data, keepNext := false, false
	for _, a := range args[1:] {
		name, value, joined := strings.Cut(a, "=")
		switch {
		case keepNext:
			words, keepNext = append(words, harmless(a)), false
		case slices.Contains(public, a) && !joined:
			words = append(words, a)
		case !strings.HasPrefix(a, "-"):
			data = true
		case slices.Contains(public, name+"=") && joined:
			words = append(words, name+"="+harmless(value))
		case slices.Contains(public, name+"="):
			words, keepNext = append(words, name), true
		}
	}
	if data {
		words = append(words, "DATA")
	}
	return Text(strings.Join(words, " "))
}

// harmless keeps a value that cannot be the name of a file or folder.
func harmless(value string) string {
	if strings.ContainsAny(value, `/\~`) || strings.HasPrefix(value, ".") {
		return "PATH"
	}
	return value
}
