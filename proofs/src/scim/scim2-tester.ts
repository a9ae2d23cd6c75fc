import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Directory } from './sync.ts';

const run = promisify(execFile);

/** Versions on PyPI. They are never dependencies. */
const packages = ['scim2-tester==0.5.2', 'scim2-client==0.13.2', 'scim2-models==0.12.3', 'httpx2==2.16.2'];

/**
 * Python program that runs every check of the tester and prints the results. It generates email addresses for
 * `userName`, which the tester fills with other text.
 */
const program = `
import json, sys, uuid
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server
from scim2_tester import filling

make_value = filling.generate_random_value
def make_known_value(context, path, *args, **kwargs):
    value = make_value(context, path, *args, **kwargs)
    is_user_name = str(path).lower().endswith('username')
    return f"{uuid.uuid4()}@tester.test" if value is not None and is_user_name else value
filling.generate_random_value = make_known_value
for name, module in list(sys.modules.items()):
    if name.startswith('scim2_tester') and getattr(module, 'generate_random_value', None) is make_value:
        module.generate_random_value = make_known_value

base_url, token = sys.argv[1:3]
http = Client(base_url=base_url, headers={'Authorization': f'Bearer {token}'})
results = check_server(SyncSCIMClient(http))
print(json.dumps([
    {'status': result.status.name, 'title': result.title, 'reason': result.reason or '', 'resource': result.resource_type or ''}
    for result in results
]))
`;

export interface Check {
  readonly status: string;
  readonly title: string;
  readonly reason: string;
  readonly resource: string;
}

export type TesterRun =
  | { readonly checks: readonly Check[]; readonly versions: readonly string[] }
  | { readonly skipped: string };

export async function runTester(folder: string, { baseUrl, token }: Directory): Promise<TesterRun> {
  const python = join(folder, 'venv/bin/python');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  } catch (error) {
    return { skipped: `the tester cannot be installed: ${String(error).split('\n')[0]}` };
  }
  const file = join(folder, 'run-tester.py');
  await writeFile(file, program);
  const { stdout } = await run(python, [file, baseUrl, token], { maxBuffer: 64 * 1024 * 1024 });
  return { checks: JSON.parse(stdout), versions: packages };
}
