import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#test/processes/free-port.ts';

/**
 * nginx in front of nodes. Requests are sent to the nodes of the last `route`. The shipped configuration has a fixed
 * list of nodes.
 */
export interface Nginx {
  readonly origin: string;
  /** Routes requests only to these ports. Resolves when no nginx process accepts connections for other ports. */
  route(ports: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the path of nginx; `null` if it is not installed. `SLUICE_TEST_NGINX` overrides the path. */
export function findNginx(): string | null {
  const program = process.env.SLUICE_TEST_NGINX ?? '/usr/sbin/nginx';
  return existsSync(program) ? program : null;
}

/**
 * Starts nginx. `shipped` uses `deploy/nginx.conf` with other addresses and folders. Otherwise, nginx has no retries.
 */
export async function startNginx(
  program: string,
  ports: readonly number[],
  config: 'shipped' | 'repeats nothing' = 'repeats nothing',
): Promise<Nginx> {
  const dir = mkdtempSync(join(tmpdir(), 'nginx-'));
  chmodSync(dir, 0o755);
  const port = await findFreePort();
  const writeUpstream = (to: readonly number[]) =>
    writeFileSync(
      join(dir, 'upstream.conf'),
      `upstream sluice { ${to.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')} keepalive 64; }\n`,
    );
  writeUpstream(ports);
  const text = config === 'shipped' ? formatShippedConfig(dir, port, ports) : formatConfig(dir, port);
  writeFileSync(join(dir, 'nginx.conf'), text);
  const child = spawn(program, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}`);
    await pause(20);
  }
  return {
    origin,
    async route(to) {
      const before = listWorkers(child.pid);
      writeUpstream(to);
      child.kill('SIGHUP');
      const isOver = () => {
        const now = listWorkers(child.pid);
        return now.length > 0 && now.every((pid) => !before.includes(pid));
      };
      while (!isOver()) await pause(20);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Returns nginx workers that accept connections. A worker that a reload has replaced has another process title. */
function listWorkers(masterPid: number | undefined): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s+nginx: worker process$/.exec(line.trimEnd()) ?? [];
      return Number(parent) === masterPid ? [Number(pid)] : [];
    });
}

const shippedFile = join(import.meta.dirname, '../../../deploy/nginx.conf');

function formatShippedConfig(dir: string, port: number, ports: readonly number[]): string {
  const shipped = ports.reduce(
    (text, node, index) => replaceOnce(text, `node-${index + 1}:8080`, `127.0.0.1:${node}`),
    readFileSync(shippedFile, 'utf8'),
  );
  const listening = replaceOnce(shipped, 'listen 8080;', `listen 127.0.0.1:${port};`);
  return formatFolders(dir) + replaceOnce(listening, 'http {', `http {\n${formatTemporaryFolders(dir)}`);
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`deploy/nginx.conf must contain "${from}" exactly once`);
  return text.replace(from, to);
}

const formatFolders = (dir: string) => `
daemon off;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log warn;
`;

const formatTemporaryFolders = (dir: string) => `
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
`;

// Returns a configuration without keep-alive for callers, since a connection that is idle during a reload may be
// closed when its next request arrives.
const formatConfig = (dir: string, port: number) => `${formatFolders(dir)}
worker_processes 2;
events { worker_connections 1024; }
http {
  access_log off;
${formatTemporaryFolders(dir)}  keepalive_timeout 0;
  include ${dir}/upstream.conf;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://sluice;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 3700s;
      proxy_next_upstream off;
    }
  }
}
`;
