import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const root = join(import.meta.dirname, '..');
const nonce = 'parts';
const policy = [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
].join('; ');
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface RunningParts {
  readonly url: string;
  stop(): Promise<void>;
}

/** Builds the console in development mode and serves it with the product's content security policy. */
export async function startParts(): Promise<RunningParts> {
  const folder = await build();
  const page = (await readFile(join(folder, 'index.html'), 'utf8')).replaceAll('__CSP_NONCE__', nonce);
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/api/'))
      return response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    const contentType = contentTypes[extname(path)];
    if (path === '/healthz') return response.end();
    if (contentType === undefined) {
      return response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .end(page);
    }
    return response.writeHead(200, { 'content-type': contentType }).end(await readFile(join(folder, path)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // safe because the server listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Builds once for all files of the run. Renamed from a temporary name, in case two files start at the same time. */
async function build(): Promise<string> {
  const folder = join(inject('runFolder'), 'parts');
  if (existsSync(folder)) return folder;
  const staging = await mkdtemp(`${folder}-`);
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = [
    '--mode=development',
    '--minify=false',
    `--outDir=${staging}`,
    '--emptyOutDir',
    '--logLevel=error',
  ];
  await promisify(execFile)(join(root, 'node_modules', '.bin', 'node'), [vite, 'build', 'web', ...options], {
    cwd: root,
  });
  await rename(staging, folder).catch(() => undefined);
  return folder;
}
