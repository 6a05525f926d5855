-- Sends the requests of a file one after the other and prints the figures as one line of JSON.
local requests = {}
local sent = 0

function init(args)
  local file = assert(io.open(args[1], 'rb'))
  while true do
    local length = file:read('*n')
    if not length then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

-- wrk counts in microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\n{"rate":%f,"p50":%f,"p99":%f,"errors":%d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
