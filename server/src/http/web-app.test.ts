import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startHttpServer } from '#test/console/console-server.ts';

const script = `globalThis.words = ${JSON.stringify('the quick brown fox '.repeat(500))};`;
let webFolder: string;
let server: RunningServer;

beforeAll(async () => {
  webFolder = mkdtempSync(join(tmpdir(), 'sluice-web-'));
  await mkdir(join(webFolder, 'assets'));
  writeFileSync(
    join(webFolder, 'index.html'),
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>',
  );
  writeFileSync(join(webFolder, 'assets', 'app-1a2b3c.js'), script);
  writeFileSync(join(webFolder, 'assets', 'font-1a2b3c.woff2'), crypto.getRandomValues(new Uint8Array(999)));
  // safe because build-web.mjs, which runs on any Node, has this export
  const { precompress } = (await import(join(import.meta.dirname, '../../../scripts/build-web.mjs'))) as {
    precompress(folder: string): void;
  };
  precompress(join(webFolder, 'assets'));
  server = await startHttpServer({ webFolder });
});
afterAll(async () => {
  await server.close();
  rmSync(webFolder, { recursive: true });
});

describe('console page', () => {
  it.each(['/', '/login', '/admin/users/7?tab=keys', '/deep/er', '/.git/config'])(
    'the page is served for %s',
    async (path) => {
      const response = await fetch(server.origin + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toMatch(/^<!doctype html>/);
    },
  );

  it('the page allows scripts and styles only from its origin or with its nonce', async () => {
    const response = await fetch(server.origin);
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const directives = policy.split('; ').map((directive) => directive.replaceAll(`${nonce}`, 'N'));
    expect(directives).toEqual([
      "default-src 'none'",
      "script-src 'self' 'nonce-N'",
      "style-src 'self' 'nonce-N'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    const page = await response.text();
    expect(page.split(`"${nonce}"`)).toHaveLength(3);
    expect(page).not.toContain('__CSP_NONCE__');
  });

  it('the page has a new nonce each time', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(server.origin)).headers.get('content-security-policy')),
    );
    expect(policies[0]).not.toBe(policies[1]);
  });

  it('the page is never returned for an API path or a missing file', async () => {
    for (const path of ['/api/v1/nothing', '/api/else', '/assets/gone.js', '/assets/']) {
      const response = await fetch(server.origin + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ detail: 'Not found' });
    }
  });

  it('the page explains that it has not been built', async () => {
    const unbuilt = await startHttpServer();
    const response = await fetch(unbuilt.origin);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ detail: expect.stringContaining('npm start') });
    await unbuilt.close();
  });
});

describe('console files', () => {
  it('a console file is cached forever, since its name changes with its content', async () => {
    const { headers } = await fetch(`${server.origin}/assets/app-1a2b3c.js`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])(
    'a console file is compressed to a tenth of its size for Accept-Encoding %s',
    async (accepted, coding, decompress) => {
      const { headers, body } = await get('/assets/app-1a2b3c.js', accepted);
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' });
      expect(headers['content-type']).toMatch(/javascript/);
      expect(body.length).toBeLessThan(script.length / 10);
      expect(decompress(body).toString()).toBe(script);
    },
  );

  it('a console file is uncompressed for clients without support, or if it does not shrink', async () => {
    const plain = await get('/assets/app-1a2b3c.js', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(script);
    const font = await get('/assets/font-1a2b3c.woff2', 'br');
    expect(font.headers['content-encoding']).toBeUndefined();
    expect(font.body).toHaveLength(999);
  });
});

async function get(path: string, acceptEncoding: string) {
  const { promise, resolve } = Promise.withResolvers<import('node:http').IncomingMessage>();
  request(server.origin + path, { headers: { 'accept-encoding': acceptEncoding } }, resolve).end();
  const response = await promise;
  return { headers: response.headers, body: await buffer(response) };
}
