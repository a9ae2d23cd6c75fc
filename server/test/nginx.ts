import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

/** An nginx before some nodes that repeats nothing. Who goes to which node is what the last `route` has said. */
export interface Nginx {
  readonly origin: string;
  /** Sends requests to these ports only; resolves when no process of nginx takes connections for any other. */
  route(ports: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

/** `SLUICE_TEST_NGINX` names another program; `null` where there is none. */
export function findNginx(): string | null {
  const program = process.env.SLUICE_TEST_NGINX ?? '/usr/sbin/nginx';
  return existsSync(program) ? program : null;
}

export async function startNginx(program: string, ports: readonly number[]): Promise<Nginx> {
  const dir = mkdtempSync(join(tmpdir(), 'nginx-'));
  chmodSync(dir, 0o755);
  const port = await findFreePort();
  const writeUpstream = (to: readonly number[]) =>
    writeFileSync(
      join(dir, 'upstream.conf'),
      `upstream sluice { ${to.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(' ')} keepalive 64; }\n`,
    );
  writeUpstream(ports);
  writeFileSync(join(dir, 'nginx.conf'), formatConfig(dir, port));
  const child = spawn(program, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
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

/** Those that take connections: one that a reload has replaced calls itself otherwise. */
function listWorkers(masterPid: number | undefined): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s+nginx: worker process$/.exec(line.trimEnd()) ?? [];
      return Number(parent) === masterPid ? [Number(pid)] : [];
    });
}

// Callers get a connection for each request: one that idles here when nginx reloads may be closed as its next request comes.
const formatConfig = (dir: string, port: number) => `
daemon off;
worker_processes 2;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  keepalive_timeout 0;
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
