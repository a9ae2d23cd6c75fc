import { type ApplyOptions, applyConfiguration } from '#configuration-file/apply.ts';
import { exportConfiguration, toYaml } from '#configuration-file/export.ts';
import { countChanges, formatPlans, toJson } from '#configuration-file/format-plan.ts';
import { withDeps } from '#configuration-file/open-deps.ts';
import { parseConfiguration, readInput, readSource } from '#configuration-file/read-files.ts';
import { describeConfiguration } from '#configuration-file/schema.ts';
import { type Command, type CommandCall, changesFound, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';

const address = 'command line';

export const apply: Command = {
  name: 'apply',
  summary: 'Changes the installation to match configuration files',
  details:
    'The file lists objects of tenants by name, as YAML or JSON; `sluice export` writes one. These objects can then be changed only in the file.\nWith --plan, the exit code is 0 if there is nothing to do and 2 if there are changes. A file with errors changes nothing.',
  options: {
    file: {
      value: 'PATH',
      short: 'f',
      summary: 'file, folder with .yaml, .yml and .json files, or - for standard input; required',
    },
    plan: { summary: 'shows the changes without making them' },
    prune: { summary: 'deletes objects that an earlier apply managed and that the file no longer lists' },
    release: {
      summary:
        'makes objects that the file no longer lists editable in the console again instead of deleting them',
    },
    schema: { summary: 'prints the JSON Schema of the file and does nothing else' },
  },
  async run(call) {
    if (call.options.schema === true) {
      const schema = describeConfiguration();
      return { json: schema, text: JSON.stringify(schema, null, 2) };
    }
    const source = textOption(call, 'file');
    if (source === undefined) throw new UsageError('Specify the configuration with -f PATH.');
    const words = {
      isPlan: call.options.plan === true,
      prunes: call.options.prune === true,
      releases: call.options.release === true,
    };
    if (words.prunes && words.releases) throw new UsageError('Use only one of --prune and --release.');
    const tenants = parseConfiguration(source === '-' ? await readInput(call.input) : readSource(source));
    const plans = await withOperator(call, (system, deps) =>
      applyConfiguration(deps, system, tenants, {
        ...words,
        source: source === '-' ? 'standard input' : source,
        actor: createActor(source, 'applyConfiguration'),
        note: call.note,
      }),
    );
    return {
      json: toJson(plans),
      text: formatPlans(plans, words),
      exitCode: words.isPlan && countChanges(plans) > 0 ? changesFound : 0,
    };
  },
};

export const exportFile: Command = {
  name: 'export',
  summary: 'Prints the configuration as a file for `sluice apply`',
  details:
    'Secrets are not printed: the reference `stored` keeps the stored secret. API keys, requests and usage are not part of a configuration.',
  options: { tenant: { value: 'SLUG', summary: 'only this tenant' } },
  async run(call) {
    const slug = textOption(call, 'tenant');
    const configuration = await withOperator(call, (system, deps) =>
      exportConfiguration(deps, system, { slug, actor: createActor('export', 'exportConfiguration') }),
    );
    if (slug !== undefined && configuration.tenants.length === 0)
      throw new Error(`There is no tenant ${slug}.`);
    return { json: configuration, text: toYaml(configuration).trimEnd() };
  },
};

const createActor = (name: string, action: string): ApplyOptions['actor'] => ({
  userId: null,
  name,
  action,
  requestId: crypto.randomUUID(),
  address,
});

type Work<Result> = (
  system: Parameters<typeof applyConfiguration>[1],
  deps: Parameters<typeof applyConfiguration>[0],
) => Promise<Result>;

function withOperator<Result>({ config, env }: CommandCall, work: Work<Result>): Promise<Result> {
  return asOperator(config, async ({ system, openKeyring }) => {
    const { canReachPrivateEndpoints, http } = config;
    const surroundings = {
      keyring: await openKeyring(),
      canReachPrivateEndpoints,
      publicUrl: http.publicUrl,
      env,
    };
    return withDeps(surroundings, (deps) => work(system, deps));
  });
}
