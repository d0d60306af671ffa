package studio

// steps are the way from recordings to a release, with links to those that can
// be gone to. current counts from 1.
func steps(c *choice, current int) []step {
	out := []step{{Name: "Import & inspect"}, {Name: "Unit & bounds"}, {Name: "Product"}, {Name: "Confirm & spend"}, {Name: "Result"}}
	out[0].Link = "/"
	if c != nil {
		chosen := *c
		if chosen.Values == nil { // nothing but the data is chosen yet
			out[1].Link = to("/unit", inData, c.Source.ID)
			out[2].Link = to("/product", inData, c.Source.ID)
		} else {
			out[1].Link, out[2].Link, out[3].Link = c.link("/unit"), c.link("/product"), c.link("/confirm")
		}
		if c.Source != nil {
			out[0].Link = "/data/" + c.Source.ID
		} else {
			out[3].Link = ""
		}
	} else {
		out[1].Link, out[2].Link = "/unit", "/product"
	}
	for i := range out {
		out[i].Current, out[i].Done = i+1 == current, i+1 < current
	}
	return out
}
