import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Versions on PyPI. They are never dependencies. */
const packages = ['pyop==3.5.0', 'oic==1.7.0', 'pyjwkest==1.4.4'];

/**
 * Python program that serves a `pyop` provider. A lie replaces claims of the ID token, which is then signed again, or
 * not at all. `pyop` has no back-channel logout, so the program signs logout tokens with the provider's key.
 */
const program = `
import json, sys, time, urllib.parse, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from Cryptodome.PublicKey import RSA
from jwkest.jwk import RSAKey
from jwkest.jws import JWS
from oic.oic.message import EndSessionRequest, ProviderConfigurationResponse
from pyop.authz_state import AuthorizationState
from pyop.exceptions import OAuthError, InvalidClientAuthentication
from pyop.provider import Provider
from pyop.subject_identifier import HashBasedSubjectIdentifierFactory
from pyop.userinfo import Userinfo

# The provider is on this machine, at plain HTTP.
ProviderConfigurationResponse.verify = lambda *args, **kwargs: True

users = {'mara': {'name': 'Mara Lind', 'email': 'mara@people.test', 'email_verified': True}}
clients, lie = {}, {}
make_key = lambda: RSAKey(key=RSA.generate(2048), use='sig', alg='RS256', kid=str(uuid.uuid4()))
sign = lambda claims, alg='RS256': JWS(json.dumps(claims), alg=alg).sign_compact([] if alg == 'none' else [provider.signing_key])

class FalsifyingProvider(Provider):
    def _create_signed_id_token(self, *args, **kwargs):
        token = super()._create_signed_id_token(*args, **kwargs)
        if not lie:
            return token
        claims = JWS().verify_compact(token, keys=[self.signing_key])
        return sign({**claims, **lie.get('claims', {})}, lie.get('alg', 'RS256'))

class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def reply(self, status, body=b'', **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply_json(self, value, status=200):
        text = value if isinstance(value, str) else json.dumps(value)
        self.reply(status, text.encode(), **{'Content-Type': 'application/json'})

    def do_GET(self):
        path, _, query = self.path.partition('?')
        if path == '/.well-known/openid-configuration':
            self.reply_json(provider.provider_configuration.to_json())
        elif path == '/jwks':
            self.reply_json(provider.jwks)
        elif path == '/authorize':
            request = provider.parse_authentication_request(query)
            answer = provider.authorize(request, 'mara')
            self.reply(302, Location=answer.request(request['redirect_uri']))
        elif path == '/userinfo':
            self.reply_json(provider.handle_userinfo_request(query, self.headers).to_json())
        elif path == '/logout':
            request = EndSessionRequest().deserialize(query)
            provider.logout_user(end_session_request=request)
            self.reply(302, Location=provider.do_post_logout_redirect(request) or '/')
        else:
            self.reply(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length'])).decode()
        if self.path == '/token':
            try:
                self.reply_json(provider.handle_token_request(body, self.headers).to_json())
            except InvalidClientAuthentication:
                self.reply_json({'error': 'invalid_client'}, 401)
            except OAuthError as error:
                self.reply_json({'error': error.oauth_error}, 400)
            return
        given = json.loads(body)
        if self.path == '/register':
            clients[given['client_id']] = {**given, 'response_types': ['code']}
        elif self.path == '/lie':
            lie.clear()
            lie.update(given)
        elif self.path == '/rotate':
            provider.signing_key = make_key()
        elif self.path == '/end':
            now = int(time.time())
            event = {'http://schemas.openid.net/event/backchannel-logout': {}}
            claims = {'iss': issuer, 'aud': given['client_id'], 'sub': given['sub'], 'iat': now, 'exp': now + 120, 'jti': str(uuid.uuid4()), 'events': event}
            form = urllib.parse.urlencode({'logout_token': sign(claims)}).encode()
            urllib.request.urlopen(given['uri'], form)
        self.reply_json({})

server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
issuer = f'http://127.0.0.1:{server.server_port}'
provider = FalsifyingProvider(make_key(), {
    'issuer': issuer, 'authorization_endpoint': issuer + '/authorize', 'token_endpoint': issuer + '/token',
    'userinfo_endpoint': issuer + '/userinfo', 'jwks_uri': issuer + '/jwks', 'end_session_endpoint': issuer + '/logout',
    'scopes_supported': ['openid', 'email', 'profile'], 'response_types_supported': ['code'],
    'subject_types_supported': ['public'], 'token_endpoint_auth_methods_supported': ['client_secret_basic'],
}, AuthorizationState(HashBasedSubjectIdentifierFactory('salt')), clients, Userinfo(users))
print(issuer, flush=True)
server.serve_forever()
`;

export interface Lie {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly alg?: 'none';
}

export interface PyopProvider {
  readonly issuer: string;
  readonly versions: readonly string[];
  register(client: Readonly<Record<string, unknown>>): Promise<void>;
  lie(how: Lie): Promise<void>;
  rotateKeys(): Promise<void>;
  endSessions(notice: { client_id: string; sub: string; uri: string }): Promise<void>;
  close(): Promise<void>;
}

export type StartedPyop = PyopProvider | { readonly skipped: string };

export async function startPyopProvider(folder: string): Promise<StartedPyop> {
  const python = join(folder, 'venv/bin/python');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  } catch (error) {
    return { skipped: `pyop cannot be installed: ${String(error).split('\n')[0]}` };
  }
  const file = join(folder, 'pyop-provider.py');
  await writeFile(file, program);
  const child = spawn(python, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const issuer = await readFirstLine(child);
  const post = async (path: string, body: object) => {
    const response = await fetch(issuer + path, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  return {
    issuer,
    versions: packages,
    register: (client) => post('/register', client),
    lie: (how) => post('/lie', how),
    rotateKeys: () => post('/rotate', {}),
    endSessions: (notice) => post('/end', notice),
    async close() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}

async function readFirstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the output of the provider is not piped');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the provider did not start');
}
