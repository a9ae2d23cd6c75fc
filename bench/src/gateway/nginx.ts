import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '../programs/program.ts';
import { findFreePort, untilListening } from '../programs/readiness.ts';
import { providerAt } from './provider.ts';
import { NotInstalledError, type Surroundings, type Target } from './subject.ts';

/** Starts nginx with one worker process, keep-alive connections to the provider and no access log. */
export async function startNginx({ resources, upstream, dir, options }: Surroundings): Promise<Target> {
  const command = findProgram('nginx', folders, 'apt-get install nginx-light');
  const port = await findFreePort();
  const configFile = join(dir, 'nginx.conf');
  await writeFile(configFile, renderConfig({ port, dir, upstream, isStreaming: options.isStreaming }));
  const args = ['-p', dir, '-e', 'stderr', '-c', configFile];
  const program = startProgram(resources, { name: 'nginx', command, args });
  await program.expect(untilListening(port));
  return { ...providerAt(`http://127.0.0.1:${port}`), program };
}

// On Debian, nginx is not in the PATH of ordinary users.
const folders = ['/usr/sbin', '/usr/local/sbin'];

interface Settings {
  port: number;
  dir: string;
  upstream: string;
  isStreaming: boolean;
}

function renderConfig({ port, dir, upstream, isStreaming }: Settings): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr warn;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 8192; }
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${dir}/nginx-${kind};`).join('\n  ')}
  client_max_body_size 64m;
  client_body_buffer_size 1m;
  keepalive_requests 100000000;
  upstream provider {
    server ${new URL(upstream).host};
    keepalive 1024;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering ${isStreaming ? 'off' : 'on'};
    }
  }
}
`;
}

/**
 * Returns the path of a command in PATH or one of these folders. Throws an error with installation instructions if
 * the command is missing.
 */
export function findProgram(name: string, folders: readonly string[], howToInstall: string): string {
  const candidates = [...folders, ...(process.env.PATH ?? '').split(':')].map((folder) => join(folder, name));
  const found = candidates.find(isExecutable);
  if (!found) throw new NotInstalledError(howToInstall);
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
