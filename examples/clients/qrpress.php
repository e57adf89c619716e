<?php
// Creates a job, follows it, and saves the archive: QRPRESS_URL=… QRPRESS_KEY=… php qrpress.php codes.zip
declare(strict_types=1);

/** Sends a request, and repeats it after a pause if it may succeed then. Returns the body of the answer. */
function call(string $method, string $path, ?array $body = null)
{
    $headers = ['Authorization: Bearer ' . getenv('QRPRESS_KEY')];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        // The same key for every attempt: the job is created once.
        $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16));
    }
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES),
        'ignore_errors' => true,
    ]]);
    for ($attempt = 1; ; $attempt++) {
        $stream = @fopen(getenv('QRPRESS_URL') . $path, 'rb', false, $context);
        $answer = $stream === false ? ['HTTP 503'] : stream_get_meta_data($stream)['wrapper_data'];
        $status = (int) explode(' ', $answer[0])[1];
        if ($status < 300) {
            return $stream;
        }
        $waits = preg_filter('/^Retry-After: */i', '', $answer);
        if ($attempt === 6 || ($status < 500 && $waits === [])) {
            throw new RuntimeException($stream === false ? 'No answer.' : $status . ': ' . stream_get_contents($stream));
        }
        // A proxy may write a date.
        $wait = (string) reset($waits);
        sleep(ctype_digit($wait) ? (int) $wait : $attempt ** 2);
    }
}

function json(string $method, string $path, ?array $body = null): array
{
    return json_decode(stream_get_contents(call($method, $path, $body)), true, flags: JSON_THROW_ON_ERROR);
}

$items = [['data' => 'https://example.org/1'], ['data' => 'https://example.org/2']];
$job = json('POST', '/api/v1/jobs', ['name' => 'from PHP', 'items' => $items])['jobId'];
do {
    sleep(2);
    $state = json('GET', "/api/v1/jobs/$job");
    echo "{$state['completed']} of {$state['total']}: {$state['status']}\n";
} while (in_array($state['status'], ['processing', 'zipping'], true));
if ($state['status'] !== 'complete') {
    throw new RuntimeException("The job failed: {$state['reason']}");
}
for ($attempt = 1; ; $attempt++) {
    $archive = call('GET', "/api/v1/jobs/$job/download");
    $lengths = preg_filter('/^Content-Length: *(\d+)$/i', '$1', stream_get_meta_data($archive)['wrapper_data']);
    $bytes = stream_copy_to_stream($archive, fopen($argv[1] ?? 'codes.zip', 'wb'));
    // PHP takes a broken connection for the end.
    if ($lengths === [] || $bytes === (int) end($lengths)) {
        break;
    }
    if ($attempt === 6) {
        throw new RuntimeException('The download broke off.');
    }
}
