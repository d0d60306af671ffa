package npy

import (
	"errors"
	"strconv"
	"strings"
)

// Python's literals as a header uses them: texts, whole numbers, True and
// False, tuples, lists, dictionaries.
type (
	tuple []any
	list  []any
)

var errLiteral = errors.New("the header is no Python literal")

type literal struct {
	s     string
	depth int
	count int
}

func parseLiteral(s string) (any, error) {
	l := literal{s: s}
	v, err := l.value()
	if err == nil && strings.TrimSpace(l.s) != "" {
		err = errLiteral
	}
	return v, err
}

func (l *literal) blanks() { l.s = strings.TrimLeft(l.s, " \t\r\n") }

// take removes a character if it comes next.
func (l *literal) take(c byte) bool {
	l.blanks()
	if l.s != "" && l.s[0] == c {
		l.s = l.s[1:]
		return true
	}
	return false
}

func (l *literal) value() (any, error) {
	l.blanks()
	if l.count++; l.s == "" || l.depth > 20 || l.count > 20*maxFields {
		return nil, errLiteral
	}
	l.depth++
	defer func() { l.depth-- }()
	switch c := l.s[0]; {
	case c == '\'' || c == '"':
		return l.text(c)
	case c == '(':
		items, err := l.items('(', ')')
		return tuple(items), err
	case c == '[':
		items, err := l.items('[', ']')
		return list(items), err
	case c == '{':
		return l.dict()
	}
	return l.word()
}

func (l *literal) text(quote byte) (any, error) {
	end := strings.IndexByte(l.s[1:], quote)
	if end < 0 {
		return nil, errLiteral
	}
	v := l.s[1 : 1+end]
	l.s = l.s[end+2:]
	return v, nil
}

func (l *literal) items(open, closed byte) ([]any, error) {
	l.take(open)
	var items []any
	for !l.take(closed) {
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
		if !l.take(',') && (l.s == "" || l.s[0] != closed) {
			return nil, errLiteral
		}
	}
	return items, nil
}

func (l *literal) dict() (any, error) {
	l.take('{')
	d := make(map[string]any)
	for !l.take('}') {
		k, err := l.value()
		key, ok := k.(string)
		if err != nil || !ok || !l.take(':') {
			return nil, errLiteral
		}
		if d[key], err = l.value(); err != nil {
			return nil, err
		}
		if !l.take(',') && (l.s == "" || l.s[0] != '}') {
			return nil, errLiteral
		}
	}
	return d, nil
}

func (l *literal) word() (any, error) {
	end := strings.IndexAny(l.s, ",)]}: \t\r\n")
	if end < 0 {
		end = len(l.s)
	}
	w := strings.TrimSuffix(l.s[:end], "L") // Python 2
	l.s = l.s[end:]
	switch w {
	case "True":
		return true, nil
	case "False":
		return false, nil
	case "None":
		return nil, nil
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		return nil, errLiteral
	}
	return n, nil
}
