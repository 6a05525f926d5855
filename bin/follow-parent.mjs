// Loaded into the child before its program: passes on what its parent, the command under bin/, is told.
//
// A terminal's Ctrl-C, a supervisor and npm each send a signal to several processes, so it may reach the child directly,
// through its parent, or both ways and more than once. It must be handled once: a second SIGINT commonly means "at
// once, without cleaning up". So what the parent passes on counts only if no such signal has come directly.
const togetherMs = 1000
const graceMs = 100

if (process.channel) {
  const lastSeen = new Map()

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const note = () => {
      lastSeen.set(signal, Date.now())
      if (process.listenerCount(signal) > 1) return
      // Nobody else listens, and by listening we have taken away that the signal ends the process.
      process.off(signal, note)
      process.kill(process.pid, signal)
    }
    process.on(signal, note)
  }

  process.on('message', (signal) => {
    setTimeout(() => {
      if (Date.now() - (lastSeen.get(signal) ?? 0) > togetherMs) process.kill(process.pid, signal)
    }, graceMs).unref()
  })

  // The parent was killed outright: end in order, as it would have asked.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))

  // Listening must not keep a program alive that has finished.
  process.channel.unref()
}
