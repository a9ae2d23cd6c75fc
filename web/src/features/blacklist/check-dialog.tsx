import { checkBlacklistBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { SuggestField } from '#components/forms/suggest-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { blacklistQuery, useCheck, useProviders } from './queries.ts';

const models: Readonly<Record<string, readonly string[]>> = {
  openai: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-3.5-turbo', 'o1', 'o3-mini'],
  anthropic: ['claude-opus-4-0', 'claude-sonnet-4-0', 'claude-3-7-sonnet-latest', 'claude-3-5-haiku-latest'],
  cohere: ['command-a-03-2025', 'command-r-plus', 'command-r', 'embed-v4.0'],
  google: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.0-flash', 'gemini-1.5-pro'],
};

/** Includes models that none of the tenant's instances enable. */
const commonModelsOf = (providerKey: string): readonly string[] => models[providerKey] ?? [];

interface CheckDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function CheckDialog({ isOpen, onClose }: CheckDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Check Status">
      <CheckForm />
    </Dialog>
  );
}

function CheckForm() {
  const check = useCheck();
  const { providers, isLoading, modelsOf } = useProviders();
  const form = useContractForm({
    schema: checkBlacklistBody,
    initialValues: { provider_key: '', model_name: '' },
  });
  const { data: entries = [] } = useQuery(blacklistQuery);
  const known = new Set(providers.map(({ value }) => value));
  const unlisted = [...new Set(entries.map((entry) => entry.provider_key))]
    .filter((key) => !known.has(key))
    .map((key) => ({ value: key, label: key }));
  const { provider_key } = form.values;
  const field = form.bind('provider_key');
  return (
    <Form
      form={form}
      submitLabel="Check Status"
      pendingLabel="Checking..."
      fallbackProblem="Failed to check blacklist status"
      isGuarded={false}
      onSubmit={(body) => {
        check.reset();
        return check.mutateAsync(body);
      }}
    >
      {providers.length === 0 && !isLoading ? (
        <TextField label="Provider key" data-autofocus {...field} />
      ) : (
        <SelectField
          label="Provider"
          placeholder="Select a provider"
          options={[...providers, ...unlisted]}
          isLoading={isLoading}
          loadingText="Loading providers..."
          data-autofocus
          {...field}
        />
      )}
      <SuggestField
        label="Model name"
        placeholder="gpt-4o"
        suggestions={[...modelsOf(provider_key), ...commonModelsOf(provider_key)]}
        {...form.bind('model_name')}
      />
      <div role="status">{check.data && <Verdict {...check.data} />}</div>
    </Form>
  );
}

interface VerdictProps {
  is_blacklisted: boolean;
  provider_key: string;
  model_name: string;
  reason: string | null;
}

function Verdict({ is_blacklisted, provider_key, model_name, reason }: VerdictProps) {
  return (
    <Notice
      kind={is_blacklisted ? 'bad' : 'ok'}
      title={
        <>
          <code>
            {provider_key}/{model_name}
          </code>{' '}
          is {is_blacklisted ? 'blacklisted' : 'not blacklisted'}
        </>
      }
    >
      {reason !== null && `Reason: ${reason}`}
    </Notice>
  );
}
