import { setTimeout as pause } from 'node:timers/promises';

/** Where a Node that gets SIGUSR1 listens for a debugger. */
const debuggerList = 'http://127.0.0.1:9229/json/list';

/** What a Node process holds of its heap after a full collection, in bytes. One process at a time: they share a debugger's port. */
export async function measureCollectedHeap(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findDebugger());
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const ask = (method: string, params = {}) => askDebugger(socket, { method, params });
  await ask('HeapProfiler.collectGarbage');
  const { usedSize } = await ask('Runtime.getHeapUsage');
  // The debugger of the next process needs the port, so this one ends itself; no answer can come.
  const expression = `setImmediate(() => process.getBuiltinModule('node:inspector').close())`;
  await ask('Runtime.evaluate', { expression });
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }));
  socket.close();
  await closed;
  await untilGone();
  if (typeof usedSize !== 'number') throw new Error(`process ${pid} does not tell its heap`);
  return usedSize;
}

async function findDebugger(): Promise<string> {
  for (let tries = 0; tries < 100; tries++, await pause(50)) {
    const answer = await fetch(debuggerList).catch(() => null);
    if (!answer?.ok) continue;
    // safe because Node's debugger answers so
    const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
    if (target) return target.webSocketDebuggerUrl;
  }
  throw new Error(`no debugger at ${debuggerList}`);
}

async function untilGone(): Promise<void> {
  for (let tries = 0; tries < 100; tries++, await pause(50))
    if (!(await fetch(debuggerList).catch(() => null))) return;
  throw new Error(`the debugger at ${debuggerList} stays`);
}

let lastId = 0;

interface Question {
  readonly method: string;
  readonly params: object;
}

function askDebugger(socket: WebSocket, question: Question): Promise<Record<string, unknown>> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data));
      if (answer.id !== id) return;
      socket.removeEventListener('message', hear);
      resolve(answer.result);
    };
    socket.addEventListener('message', hear);
    socket.send(JSON.stringify({ id, ...question }));
  });
}
