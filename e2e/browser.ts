import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const systemChromium = '/usr/bin/chromium';
const cacheFolder = join(import.meta.dirname, '..', '.sluice-cache');
const flags = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

let running: Promise<Browser> | undefined;

/** All test files of this process share the browser, which closes when the process exits. */
export function launchBrowser(): Promise<Browser> {
  running ??= launch();
  const launched = running;
  const forget = () => {
    if (running === launched) running = undefined;
  };
  launched.then((browser) => browser.once('disconnected', forget), forget);
  return launched;
}

/** Uses the binary at `CHROMIUM_PATH`, otherwise the system's, otherwise the one installed by npm. */
async function launch(): Promise<Browser> {
  const installed = process.env.CHROMIUM_PATH ?? (existsSync(systemChromium) ? systemChromium : undefined);
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: flags });
  const folder = await unpackChromium();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: flags,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  });
}

/**
 * Unpacks the browser once per version. Unpacking to a temporary name prevents parallel test files from using an
 * incomplete browser.
 */
async function unpackChromium(): Promise<string> {
  const archives = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
  const { version } = JSON.parse(await readFile(join(archives, '..', 'package.json'), 'utf8')) as {
    version: string;
  }; // safe because npm rejects a package without a version
  const folder = join(cacheFolder, `chromium-${version}`);
  if (existsSync(folder)) return folder;

  await mkdir(cacheFolder, { recursive: true });
  const staging = await mkdtemp(join(cacheFolder, 'unpacking-'));
  await inflateInto(staging, archives);
  await usePathInFontSettings(staging, folder);
  try {
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

const inflateAll = `const { inflate } = await import('@sparticuz/chromium');
await Promise.all(process.argv.slice(1).map((archive) => inflate(archive)));`;

/**
 * Unpacks in a child process with its own `TMPDIR`, because the package always unpacks to the temporary folder of its
 * process.
 */
async function inflateInto(folder: string, archives: string): Promise<void> {
  const names = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
  const paths = names.map((name) => join(archives, name));
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', inflateAll, ...paths], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder },
  });
}

async function usePathInFontSettings(staging: string, folder: string): Promise<void> {
  const settings = join(staging, 'fonts', 'fonts.conf');
  const text = await readFile(settings, 'utf8');
  await writeFile(settings, text.replaceAll('/tmp/fonts', join(folder, 'fonts')));
}
