import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Instruction,
  isSent,
  parseDockerfile,
  parseIgnoreFile,
  parsePairs,
} from '#test/image/dockerfile.ts';

export interface Image {
  readonly rootDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workDir: string;
  /** User in the form `uid:gid`. */
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Build {
  readonly contextDir: string;
  readonly ignored: readonly string[];
  readonly dir: string;
  readonly stages: Map<string, Image>;
}

const emptyImage: Image = {
  rootDir: '/',
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  workDir: '/',
  user: '0:0',
  entrypoint: [],
  healthCheck: [],
};

/** `baseDir` contains the base image of all stages. */
export function buildImage(dockerfile: string, contextDir: string, baseDir: string, dir: string): Image {
  const ignored = parseIgnoreFile(readFileSync(`${dockerfile}.dockerignore`, 'utf8'));
  mkdirSync(dir, { recursive: true });
  const build: Build = { contextDir, ignored, dir, stages: new Map() };
  let image: Image | undefined;
  const stages = parseDockerfile(readFileSync(dockerfile, 'utf8'));
  for (const [index, { from, name, instructions }] of stages.entries()) {
    const before = build.stages.get(from) ?? { ...emptyImage, rootDir: baseDir };
    const rootDir = join(dir, name ?? `stage-${index}`);
    execFileSync('cp', ['-a', before.rootDir, rootDir]);
    image = instructions.reduce<Image>((made, instruction) => follow(made, instruction, build), {
      ...before,
      rootDir,
    });
    build.stages.set(name ?? String(index), image);
  }
  if (!image) throw new Error(`${dockerfile} has no stage`);
  return image;
}

function follow(image: Image, { word, argument }: Instruction, build: Build): Image {
  switch (word) {
    case 'WORKDIR':
      mkdirSync(join(image.rootDir, argument), { recursive: true });
      return { ...image, workDir: argument };
    case 'ENV':
    case 'ARG':
      return { ...image, env: { ...image.env, ...Object.fromEntries(parsePairs(argument)) } };
    case 'USER':
      return { ...image, user: argument };
    case 'ENTRYPOINT':
      return { ...image, entrypoint: JSON.parse(argument) };
    case 'HEALTHCHECK':
      return { ...image, healthCheck: JSON.parse(argument.slice(argument.indexOf('CMD') + 3)) };
    case 'COPY':
      copy(image, argument.split(/\s+/), build);
      return image;
    case 'RUN':
      runIn(image, ['/bin/sh', '-c', `cd ${image.workDir} && ${argument}`]);
      return image;
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return image;
    default:
      throw new Error(`the instruction ${word} is not supported`);
  }
}

function copy({ rootDir, workDir }: Image, words: string[], { contextDir, ignored, stages }: Build): void {
  const [, stage] = /^--from=(.*)$/.exec(words[0] ?? '') ?? [];
  const paths = stage === undefined ? words : words.slice(1);
  const target = paths.at(-1) ?? '';
  const sourceDir = stage === undefined ? contextDir : stages.get(stage)?.rootDir;
  if (sourceDir === undefined) throw new Error(`COPY refers to the unknown stage ${stage}`);
  for (const path of paths.slice(0, -1)) {
    const source = join(sourceDir, path);
    if (!existsSync(source)) throw new Error(`COPY: there is no ${path}`);
    const folder = join(rootDir, target.startsWith('/') ? '' : workDir, target);
    const to = statSync(source).isFile() ? join(folder, basename(path)) : folder;
    mkdirSync(dirname(to), { recursive: true });
    const filter = (from: string) =>
      stage !== undefined || from === source || isSent(from.slice(contextDir.length + 1), ignored);
    cpSync(source, to, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** Runs as root, with this machine's package registries. */
function runIn({ rootDir, env }: Image, command: readonly string[]): void {
  const mounts = `mount --rbind /dev ${rootDir}/dev && mount -t proc proc ${rootDir}/proc`;
  const script = `${mounts} && exec chroot ${rootDir} "$@"`;
  execFileSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', ...command], {
    env: { ...registryEnv(), ...env, HOME: '/root' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Returns the settings of package registries and trusted certificates, which a build normally gets from its engine. */
function registryEnv(): Record<string, string> {
  const isOfRegistry = (name: string) =>
    /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_FILE$/i.test(name);
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      isOfRegistry(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

/** Creates a minimal Debian with Node's library, this Node, and npm. */
export function makeBaseImage(dir: string, nodeBinary: string, npmDir: string): void {
  execFileSync(
    'debootstrap',
    ['--variant=minbase', '--include=ca-certificates,libatomic1', findSuite(), dir],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  mkdirSync(join(dir, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(nodeBinary, join(dir, 'usr/local/bin/node'));
  cpSync(npmDir, join(dir, 'usr/local/lib/node_modules/npm'), { recursive: true });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(dir, 'usr/local/bin/npm')]);
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt', '/root/.npmrc'])
    if (existsSync(file)) cpSync(file, join(dir, file), { dereference: true });
}

/** Returns the Debian release of this machine, since the configured mirror serves this release. */
function findSuite(): string {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable';
}
