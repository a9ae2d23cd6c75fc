import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const page = dirname(fileURLToPath(import.meta.resolve('../web/src/testing/list-page/main.tsx')));
const kinds: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Builds and serves a page with a list. The page is not part of the product. */
export async function serveListPage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-list-page-'));
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const node = join(root, 'node_modules', '.bin', 'node');
  const build = [
    vite,
    'build',
    page,
    '--outDir',
    folder,
    '--emptyOutDir',
    '--minify=false',
    '--logLevel',
    'error',
  ];
  await promisify(execFile)(node, build, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } });

  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, extname(path) === '' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': kinds[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // safe because the server listens on a port
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `http://localhost:${port}`, stop };
}
