// Creates a job, follows it, and saves the archive: QRPRESS_URL=… QRPRESS_KEY=… dotnet run Qrpress.cs codes.zip
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

var output = args.Length > 0 ? args[0] : "codes.zip";
using var http = new HttpClient { BaseAddress = new Uri(Environment.GetEnvironmentVariable("QRPRESS_URL")!) };
http.DefaultRequestHeaders.Authorization =
    new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("QRPRESS_KEY"));

var body = new
{
    name = "from C#",
    items = new[] { new { data = "https://example.org/1" }, new { data = "https://example.org/2" } },
};
var created = await Json(HttpMethod.Post, "/api/v1/jobs", body);
var job = $"/api/v1/jobs/{created.GetProperty("jobId").GetString()}";

string status;
do
{
    await Task.Delay(TimeSpan.FromSeconds(2));
    var state = await Json(HttpMethod.Get, job);
    status = state.GetProperty("status").GetString()!;
    Console.WriteLine($"{state.GetProperty("completed")} of {state.GetProperty("total")}: {status}");
} while (status is "processing" or "zipping");

if (status != "complete")
{
    throw new InvalidOperationException("The job failed.");
}

using var archive = await Call(HttpMethod.Get, $"{job}/download");
await using var file = File.Create(output);
await archive.Content.CopyToAsync(file);

// Sends a request, and repeats it after a pause if it may succeed then.
async Task<HttpResponseMessage> Call(HttpMethod method, string path, object? content = null)
{
    var key = Guid.NewGuid().ToString();
    for (var attempt = 1; ; attempt++)
    {
        using var request = new HttpRequestMessage(method, path);
        if (content is not null)
        {
            request.Content = JsonContent.Create(content);
            // The same key for every attempt: the job is created once.
            request.Headers.Add("Idempotency-Key", key);
        }
        RetryConditionHeaderValue? wait = null;
        try
        {
            var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
            if (response.IsSuccessStatusCode)
            {
                return response;
            }
            wait = response.Headers.RetryAfter;
            throw new HttpRequestException(await response.Content.ReadAsStringAsync(), null, response.StatusCode);
        }
        // A timeout is a cancelled task.
        catch (Exception error)
            when (attempt < 6 && (wait is not null || error is TaskCanceledException
                or HttpRequestException { StatusCode: null or >= HttpStatusCode.InternalServerError }))
        {
            // A proxy may write a date.
            await Task.Delay(wait?.Delta ?? TimeSpan.FromSeconds(attempt * attempt));
        }
    }
}

async Task<JsonElement> Json(HttpMethod method, string path, object? content = null)
{
    using var response = await Call(method, path, content);
    return await response.Content.ReadFromJsonAsync<JsonElement>();
}
