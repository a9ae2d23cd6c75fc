import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, type CommandCall, textOption, UsageError } from '../command.ts';
import {
  type Credential,
  type CredentialsFile,
  credentialsFile,
  type StoredCredentials,
  withCredentials,
} from '../credentials.ts';
import { createToolClient, ServerAway, type ToolClient, ToolRefusal } from '../tool-client.ts';

const urlOption = {
  value: 'URL',
  summary: 'URL of the installation; default: the installation of your last sign-in',
};

const place =
  'The credential is stored in sluice/credentials.json below XDG_CONFIG_HOME (~/.config by default). Only you can read this file.';

export const logIn: Command = {
  name: 'login',
  summary: 'Signs this machine in; you confirm a code and choose a task in the browser',
  details: `Works on any machine that can reach the installation, without access to its database.\n${place}`,
  isLocal: true,
  options: {
    url: urlOption,
    task: { value: 'NAME', summary: 'title of the task that the page preselects' },
  },
  async run(call) {
    const url = await findUrl(call);
    const client = createToolClient(url);
    const credential = await signIn(call, client);
    const former = await store(call, url, credential);
    if (former) await client.revoke(former.refresh_token).catch(() => undefined);
    const { user, task } = credential;
    return {
      json: { url, user, task, file: credentialsFile(call.env) },
      text: `Signed in to ${url} as ${user.name} (${user.email}) for the task "${task.title}".\n\`npx sluice token\` prints the key.`,
    };
  },
};

export const logOut: Command = {
  name: 'logout',
  summary: 'Signs this machine out and revokes its key',
  isLocal: true,
  options: { url: urlOption },
  run: (call) =>
    withInstallation(call, async ({ file, stored, url, credential }) => {
      if (!credential)
        return { json: { url, signed_out: false }, text: `This machine is not signed in to ${url}.` };
      forget(file, stored, url);
      try {
        await createToolClient(url).revoke(credential.refresh_token);
      } catch (error) {
        throw new Error(
          `The credential was deleted from this machine, but ${url} did not revoke it: ${messageOf(error)} Sign the tool out in your profile under "Signed-in tools".`,
        );
      }
      return { json: { url, signed_out: true }, text: `Signed out of ${url}.` };
    }),
};

export const printToken: Command = {
  name: 'token',
  summary: 'Prints a valid task key, and renews it when it is about to expire',
  details: `For helper commands such as Claude Code's apiKeyHelper.\n${place}`,
  isLocal: true,
  options: { url: urlOption },
  run: (call) =>
    withInstallation(call, async ({ file, stored, url, credential }) => {
      if (!credential) throw new Error(`This machine is not signed in to ${url}. Run \`${loginCall(url)}\`.`);
      const { access_token: token, expires_at } = isFresh(credential)
        ? credential
        : await renew(file, stored, url, credential);
      return { json: { token, expires_at }, text: token };
    }),
};

interface Installation {
  readonly file: CredentialsFile;
  readonly stored: StoredCredentials;
  readonly url: string;
  readonly credential: Credential | undefined;
}

function withInstallation<Result>(
  call: CommandCall,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  return withCredentials(call.env, (file) => {
    const stored = file.read();
    const url = chooseUrl(call, stored);
    return work({ file, stored, url, credential: stored.installations[url] });
  });
}

const loginCall = (url: string) => `npx sluice login --url ${url}`;

/** Renewal is due in the last sixth of the lifetime: 10 minutes of an hour. */
function isFresh({ issued_at, expires_at }: Credential): boolean {
  const expiresAtMs = Date.parse(expires_at);
  return expiresAtMs - Date.now() > (expiresAtMs - Date.parse(issued_at)) / 6;
}

async function renew(
  file: CredentialsFile,
  stored: StoredCredentials,
  url: string,
  former: Credential,
): Promise<Credential> {
  try {
    const credential = await createToolClient(url).renew(former.refresh_token);
    file.write({ ...stored, installations: { ...stored.installations, [url]: credential } });
    return credential;
  } catch (error) {
    // The server is temporarily unreachable, but the key is still valid.
    if (error instanceof ServerAway && Date.parse(former.expires_at) > Date.now()) return former;
    if (!(error instanceof ToolRefusal) || error.code !== 'invalid_grant') throw error;
    forget(file, stored, url);
    throw new Error(`${error.message.replace(/ Sign in again\.$/, '')} Run \`${loginCall(url)}\`.`);
  }
}

function forget(file: CredentialsFile, stored: StoredCredentials, url: string): void {
  const { [url]: _forgotten, ...installations } = stored.installations;
  const current = stored.current === url ? (Object.keys(installations)[0] ?? null) : stored.current;
  file.write({ current, installations });
}

/** Returns the host name without its domain, since the server rejects names that look like a URL. */
const deviceName = () => (hostname().split('.')[0] ?? '').slice(0, 100);

async function signIn(call: CommandCall, client: ToolClient): Promise<Credential> {
  const task = textOption(call, 'task');
  const codes = await client.authorize({ device_name: deviceName(), ...(task && { task }) });
  const { user_code: code, verification_uri_complete: page, verification_uri: shortPage } = codes;
  call.note(
    call.isJson
      ? JSON.stringify({ verification_uri_complete: page, user_code: code })
      : `Open this page in a browser:\n\n  ${page}\n\nCheck that it shows the code ${code}. To use another device, open ${shortPage} there and enter the code.\nWaiting for your confirmation. The code expires in ${codes.expires_in / 60} minutes.`,
  );
  let intervalSeconds = codes.interval;
  const endsAtMs = Date.now() + codes.expires_in * 1_000;
  while (Date.now() < endsAtMs) {
    await delay(intervalSeconds * 1_000);
    try {
      return await client.redeem(codes.device_code);
    } catch (error) {
      intervalSeconds = nextInterval(error, intervalSeconds);
    }
  }
  throw new Error('The code has expired. Run the command again.');
}

/**
 * Returns seconds.
 * @throws the error if another poll cannot succeed
 */
function nextInterval(error: unknown, seconds: number): number {
  if (error instanceof ServerAway) return seconds;
  if (!(error instanceof ToolRefusal)) throw error;
  if (error.code === 'authorization_pending' || error.code === 'temporarily_unavailable') return seconds;
  if (error.code === 'slow_down') return seconds + 5;
  throw error;
}

/** Stores the credential and returns the previous one for the same URL. */
function store({ env }: CommandCall, url: string, credential: Credential): Promise<Credential | undefined> {
  return withCredentials(env, async (file) => {
    const { installations } = file.read();
    file.write({ current: url, installations: { ...installations, [url]: credential } });
    return installations[url];
  });
}

/**
 * Returns the URL to sign in to: the value of the option, the URL of the last sign-in, or this machine's public URL.
 */
async function findUrl(call: CommandCall): Promise<string> {
  const stored = await withCredentials(call.env, async (file) => file.read());
  const url = parseUrl(textOption(call, 'url') ?? stored.current ?? call.config.http.publicUrl);
  if (!isProtected(url)) call.note(`${url} does not use HTTPS. Anyone on the network path can read the key.`);
  return url;
}

function chooseUrl(call: CommandCall, { current }: StoredCredentials): string {
  const url = textOption(call, 'url') ?? current;
  if (url === null) throw new Error('This machine is not signed in. Run `npx sluice login --url URL`.');
  return parseUrl(url);
}

const isProtected = (url: string) => /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$))/.test(url);

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--url must be a URL such as https://sluice.example.com, not "${text}".`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
