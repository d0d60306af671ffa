package format

import "bytes"

// SplitFields appends a line's fields. Fields may be quoted; a doubled quote inside
// stands for one. Blanks as delimiter count once however many they are.
func SplitFields(fields [][]byte, line []byte, delimiter byte) [][]byte {
	if delimiter == ' ' {
		return append(fields, bytes.Fields(line)...)
	}
	for {
		field, rest, more := nextField(line, delimiter)
		fields = append(fields, field)
		if !more {
			return fields
		}
		line = rest
	}
}

// nextField cuts the first field off a line.
func nextField(line []byte, delimiter byte) (field, rest []byte, more bool) {
	if len(line) > 0 && line[0] == '"' {
		return quoted(line, delimiter)
	}
	i := bytes.IndexByte(line, delimiter)
	if i < 0 {
		return line, nil, false
	}
	return line[:i], line[i+1:], true
}

func quoted(line []byte, delimiter byte) (field, rest []byte, more bool) {
	var out []byte
	s := line[1:]
	for {
		i := bytes.IndexByte(s, '"')
		if i < 0 { // never closed
			return append(out, s...), nil, false
		}
		if i+1 < len(s) && s[i+1] == '"' {
			out = append(append(out, s[:i]...), '"')
			s = s[i+2:]
			continue
		}
		if out == nil {
			field = s[:i]
		} else {
			field = append(out, s[:i]...)
		}
		s = s[i+1:]
		if j := bytes.IndexByte(s, delimiter); j >= 0 {
			return field, s[j+1:], true
		}
		return field, nil, false
	}
}

// unclosed reports whether a quoted field goes on after the line; inside says
// that the line begins within one.
func unclosed(line []byte, delimiter byte, inside bool) bool {
	for {
		if inside {
			end := closing(line)
			if end < 0 {
				return true
			}
			line = line[end+1:]
		}
		if !inside && len(line) > 0 && line[0] == '"' {
			inside, line = true, line[1:]
			continue
		}
		inside = false
		i := bytes.IndexByte(line, delimiter)
		if i < 0 {
			return false
		}
		line = line[i+1:]
	}
}

// closing returns where a quoted field's content ends, or -1.
func closing(s []byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		return i
	}
	return -1
}
