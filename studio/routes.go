package studio

import (
	"net/http"
)

// maxForm bounds the body of a form without files.
const maxForm = 4 << 20

// routes are all addresses. What changes something is a POST.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	get := func(pattern string, a answer) { mux.Handle("GET "+pattern, s.handle(a)) }
	post := func(pattern string, a answer) {
		mux.Handle("POST "+pattern, s.handle(func(w http.ResponseWriter, r *http.Request) error {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); isA[*http.MaxBytesError](err) {
				return tooLarge(err, maxForm)
			} else if err != nil {
				return refuse("The form cannot be read.", "Reload the page and try again.")
			}
			return a(w, r)
		}))
	}
	get("/{$}", s.home)
	get("/static/{file}", s.static)
	get("/favicon.ico", func(w http.ResponseWriter, r *http.Request) error { // where a page has no head
		r.SetPathValue("file", "icon.svg")
		return s.static(w, r)
	})
	get("/browse", s.browse)
	post("/demo", s.demo)
	post("/data", s.pick)
	mux.Handle("POST /upload", s.handle(s.upload))
	get("/data/{id}", s.dataPage)
	get("/data/{id}/recording", s.recording)
	get("/data/{id}/stimulus.png", s.stimulus)
	post("/data/{id}/options", s.setOptions)
	post("/data/{id}/areas", s.setAreas)
	post("/data/{id}/forget", s.forget)
	get("/unit", s.unit)
	get("/product", s.product)
	get("/preview/bounds.png", s.boundsPicture)
	get("/preview/scene.png", s.scene)
	get("/preview/{side}", s.previewPicture)
	get("/confirm", s.confirm)
	post("/spend", s.spend)
	get("/jobs/{id}", s.jobPage)
	get("/jobs/{id}/events", s.jobEvents)
	post("/jobs/{id}/cancel", s.cancelJob)
	get("/releases", s.releases)
	get("/releases/{id}", s.releasePage)
	get("/releases/{id}/package.zip", s.pack)
	get("/releases/{id}/redraw.png", s.redraw)
	get("/releases/{id}/{kind}", s.label)
	get("/releases/{id}/files/{file...}", s.releaseFile)
	get("/ledger", s.ledger)
	get("/audit", s.auditPage)
	post("/audit", s.startAudit)
	get("/", func(http.ResponseWriter, *http.Request) error { return missing("There is no such page.") })
	return mux
}

// static sends style and scripts.
func (s *Server) static(w http.ResponseWriter, r *http.Request) error {
	name := "static/" + r.PathValue("file")
	if _, err := files.ReadFile(name); err != nil {
		return missing("There is no such file.")
	}
	http.ServeFileFS(w, r, files, name)
	return nil
}
