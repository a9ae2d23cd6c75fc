import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPostgresBinaries, startOutsidePostgres } from '#test/database/outside-postgres.ts';
import { findFreePort } from '#test/processes/free-port.ts';
import { awaitOutput, type Container, startContainer } from './image/container.ts';
import { buildImage, type Image, makeBaseImage } from './image/image-build.ts';
import type { ProofResult } from './proof.ts';

const root = join(import.meta.dirname, '../..');
const startLimitMs = 120_000;

interface ImageFigures {
  readonly appMegabytes: number;
  readonly readyS: number;
  readonly user: number;
  readonly health: number;
  readonly answer: number;
  readonly streamEnd: string;
  readonly stopS: number;
  readonly exitCode: number | null;
  readonly written: readonly string[];
}

/** Builds the image in an empty Debian according to the Dockerfile, and runs the image like an orchestrator. */
export async function proveImage(): Promise<ProofResult> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-image-'));
  try {
    const base = join(dir, 'base');
    const npmProgram = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    makeBaseImage(base, process.execPath, dirname(dirname(realpathSync(npmProgram))));
    const image = buildImage(join(root, 'deploy/Dockerfile'), root, base, join(dir, 'stages'));
    const figures = await runImage(image, join(dir, 'data'));
    return {
      title: 'the image builds from its Dockerfile, runs as non-root on a read-only file system, and drains',
      holds: isWell(figures),
      text: describe(figures),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const isWell = (figures: ImageFigures) =>
  figures.user === 10_001 &&
  figures.health === 0 &&
  figures.answer === 200 &&
  figures.streamEnd === 'complete' &&
  figures.exitCode === 0 &&
  figures.written.length === 0;

async function runImage(image: Image, dataDir: string): Promise<ImageFigures> {
  const [binDir] = findPostgresBinaries();
  if (binDir === undefined) throw new Error('this proof needs a PostgreSQL installed on the machine');
  const postgres = await startOutsidePostgres(binDir, { rules: ['host all sluice 127.0.0.1/32 trust'] });
  try {
    // The setup follows docs/operating/postgresql.md.
    await postgres.run('CREATE ROLE sluice LOGIN');
    await postgres.run('CREATE DATABASE sluice OWNER sluice');
    await postgres.run('CREATE ROLE sluice_tenant NOLOGIN');
    await postgres.run('GRANT sluice_tenant TO sluice');
    const port = await findFreePort();
    const startedMs = performance.now();
    const container = startContainer(image, dataDir, {
      PORT: String(port),
      DATABASE_URL: `postgresql://sluice@127.0.0.1:${postgres.port}/sluice`,
      SLUICE_SECRET: 'a secret of the image proof, 32 characters',
      SLUICE_WORKERS: '1',
    });
    return await useContainer(container, port, { image, startedMs });
  } finally {
    await postgres.stop();
  }
}

async function useContainer(
  container: Container,
  port: number,
  { image, startedMs }: { image: Image; startedMs: number },
): Promise<ImageFigures> {
  try {
    const apiKey = await awaitOutput(container, /\b(slc_[0-9A-Za-z]+)/, startLimitMs);
    await awaitOutput(container, /is ready\./, startLimitMs);
    const readyS = (performance.now() - startedMs) / 1000;
    const ask = (model: string, stream: boolean) =>
      fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Say hello' }] }),
      });
    const { status: answer } = await ask('sandbox-normal', false);
    const user = container.readUser();
    const health = container.checkHealth();
    const stream = await ask('sandbox-slow', true);
    const stoppedMs = performance.now();
    container.signal('SIGTERM');
    const streamEnd = /data: \[DONE\]\s*$/.test(await stream.text()) ? 'complete' : 'cut off';
    const exitCode = await container.exited;
    const stopS = (performance.now() - stoppedMs) / 1000;
    const appMegabytes = Number(run('du', '-sm', join(image.rootDir, image.workDir)).split('\t')[0]);
    const written = run(
      'find',
      image.rootDir,
      '-xdev',
      '-newermt',
      `@${(Date.now() - (performance.now() - startedMs)) / 1000}`,
    );
    return {
      appMegabytes,
      readyS,
      user,
      health,
      answer,
      streamEnd,
      stopS,
      exitCode,
      written: written.split('\n').filter(Boolean),
    };
  } catch (error) {
    container.signal('SIGKILL');
    throw error;
  }
}

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8' });

function describe({
  appMegabytes,
  answer,
  exitCode,
  health,
  readyS,
  stopS,
  streamEnd,
  user,
  written,
}: ImageFigures): string {
  return `Each instruction of \`deploy/Dockerfile\` is executed without a container engine: the base image is a minimal Debian (debootstrap) with the
pinned Node and npm. The result runs in its own mount and process namespaces: as process 1, as the user of the image, on a root that is mounted
read-only, with its own data folder, on a PostgreSQL that was prepared as \`docs/operating/postgresql.md\` describes. It receives SIGTERM during a stream.

| size of /app, MB | ready after | user | health check | response | stream at the stop | stopped after | exit code | files written outside of /data |
|---|---|---|---|---|---|---|---|---|
| ${appMegabytes} | ${readyS.toFixed(1)} s | ${user} | ${health === 0 ? 'healthy' : `exit code ${health}`} | ${answer} | ${streamEnd} | ${stopS.toFixed(1)} s | ${exitCode} | ${written.length} |`;
}
