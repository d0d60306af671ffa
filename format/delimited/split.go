package delimited

import "bytes"

// split appends a line's fields. Fields may be quoted; a doubled quote inside
// stands for one. Blanks as delimiter count once however many they are.
func split(fields [][]byte, line []byte, delimiter byte) [][]byte {
	if delimiter == ' ' {
		return append(fields, bytes.Fields(line)...)
	}
	for {
		field, rest, more := next(line, delimiter)
		fields = append(fields, field)
		if !more {
			return fields
		}
		line = rest
	}
}

// next cuts the first field off a line.
func next(line []byte, delimiter byte) (field, rest []byte, more bool) {
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

// unclosed reports whether a quoted field of the line goes on in the next.
func unclosed(line []byte, delimiter byte) bool {
	for {
		if len(line) == 0 {
			return false
		}
		if line[0] != '"' {
			i := bytes.IndexByte(line, delimiter)
			if i < 0 {
				return false
			}
			line = line[i+1:]
			continue
		}
		end := closing(line[1:])
		if end < 0 {
			return true
		}
		line = line[end+2:]
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
