// Creates a job, follows it, and saves the archive: QRPRESS_URL=… QRPRESS_KEY=… go run qrpress.go codes.zip
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type job struct {
	JobID     string `json:"jobId"`
	Status    string `json:"status"`
	Reason    string `json:"reason"`
	Total     int    `json:"total"`
	Completed int    `json:"completed"`
}

// call sends a request, and repeats it after a pause if it may succeed then.
func call(method, path string, body []byte) (*http.Response, error) {
	key := strconv.FormatInt(time.Now().UnixNano(), 36)
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequest(method, os.Getenv("QRPRESS_URL")+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("QRPRESS_KEY"))
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
			// The same key for every attempt: the job is created once.
			request.Header.Set("Idempotency-Key", key)
		}
		seconds := attempt * attempt
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			if response.StatusCode < 300 {
				return response, nil
			}
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			err = fmt.Errorf("%s: %s", response.Status, text)
			wait := response.Header.Get("Retry-After")
			if response.StatusCode < 500 && wait == "" {
				return nil, err
			}
			// A proxy may write a date.
			if parsed, err := strconv.Atoi(wait); err == nil {
				seconds = parsed
			}
		}
		if attempt == 6 {
			return nil, err
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

func decode(method, path string, body []byte) (result job, err error) {
	response, err := call(method, path, body)
	if err == nil {
		defer response.Body.Close()
		err = json.NewDecoder(response.Body).Decode(&result)
	}
	return result, err
}

func run(out string) error {
	body, err := json.Marshal(map[string]any{
		"name":  "from Go",
		"items": []map[string]string{{"data": "https://example.org/1"}, {"data": "https://example.org/2"}},
	})
	if err != nil {
		return err
	}
	created, err := decode("POST", "/api/v1/jobs", body)
	if err != nil {
		return err
	}
	path := "/api/v1/jobs/" + created.JobID
	state := job{Status: "processing"}
	for state.Status == "processing" || state.Status == "zipping" {
		time.Sleep(2 * time.Second)
		if state, err = decode("GET", path, nil); err != nil {
			return err
		}
		fmt.Printf("%d of %d: %s\n", state.Completed, state.Total, state.Status)
	}
	if state.Status != "complete" {
		return fmt.Errorf("the job failed: %s", state.Reason)
	}
	archive, err := call("GET", path+"/download", nil)
	if err != nil {
		return err
	}
	defer archive.Body.Close()
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, archive.Body); err != nil {
		return err
	}
	return file.Close()
}

func main() {
	// Without it a request whose answer is lost waits for ever.
	http.DefaultTransport.(*http.Transport).ResponseHeaderTimeout = time.Minute
	out := "codes.zip"
	if len(os.Args) > 1 {
		out = os.Args[1]
	}
	if err := run(out); err != nil {
		log.Fatal(err)
	}
}
