import { type ApiKeyScope, type ApiKeyStatus, apiKeyScopes, type User } from '@sluice/contract';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { CheckboxesField, type ChoiceBinding } from './checkboxes-field.tsx';
import { createForm, listLifetimes, regenerateForm } from './choices.ts';
import { OverlapField } from './overlap-field.tsx';
import { useCreateApiKey, useRegenerateApiKey } from './queries.ts';

const meanings: Record<ApiKeyScope, { label: string; description: string }> = {
  completions: { label: 'Completions', description: 'Call models: chat, messages, responses' },
  embeddings: { label: 'Embeddings', description: 'Create embeddings' },
  models: { label: 'Models', description: 'List the available models' },
};

const scopeOptions = apiKeyScopes.map((value) => ({ value, ...meanings[value] }));

export function ScopesField(binding: ChoiceBinding) {
  return <CheckboxesField label="Scopes" options={scopeOptions} {...binding} />;
}

type Key = NonNullable<ApiKeyStatus['api_key_status']>;

interface KeyDialogProps {
  owner: Pick<User, 'id' | 'name'>;
  /** Active key that the new key replaces, or `null`. */
  former: Key | null;
  isOpen: boolean;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function KeyDialog({ isOpen, onClose, ...props }: KeyDialogProps) {
  const title = props.former ? 'Regenerate API key' : 'Create API key';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} size="sm">
      {props.former ? <RegenerateForm {...props} former={props.former} /> : <CreateForm {...props} />}
    </Dialog>
  );
}

type FormProps = Pick<KeyDialogProps, 'owner' | 'onSecret'>;

function CreateForm({ owner, onSecret }: FormProps) {
  const create = useCreateApiKey(owner.id);
  const lifetimes = listLifetimes(null);
  const form = useContractForm({
    schema: createForm,
    initialValues: { scopes: [...apiKeyScopes], expires_at: lifetimes.value },
  });
  return (
    <Form
      form={form}
      submitLabel="Create API key"
      pendingLabel="Creating..."
      fallbackProblem="Failed to create API key"
      isGuarded={false}
      onSubmit={async (body) => onSecret((await create.mutateAsync(body)).api_key)}
    >
      <p>Create an API key for {owner.name}?</p>
      <ScopesField {...form.bind('scopes')} />
      <SelectField label="Expires" options={lifetimes.options} {...form.bind('expires_at')} />
    </Form>
  );
}

function RegenerateForm({ owner, former, onSecret }: FormProps & { former: Key }) {
  const regenerate = useRegenerateApiKey(owner.id);
  const lifetimes = listLifetimes(former);
  const form = useContractForm({
    schema: regenerateForm,
    initialValues: { scopes: [...former.scopes], expires_at: lifetimes.value, overlap_seconds: '0' },
  });
  return (
    <Form
      form={form}
      submitLabel="Regenerate"
      pendingLabel="Regenerating..."
      fallbackProblem="Failed to regenerate API key"
      isDanger={form.values.overlap_seconds === '0'}
      isGuarded={false}
      onSubmit={async (body) => onSecret((await regenerate.mutateAsync(body)).api_key)}
    >
      <p>This will revoke the current key and create a new one.</p>
      <RecentUse of={{ api_key_id: former.id }} owner={owner.name} />
      <OverlapField {...form.bind('overlap_seconds')} />
      <ScopesField {...form.bind('scopes')} />
      <SelectField label="New key expires" options={lifetimes.options} {...form.bind('expires_at')} />
    </Form>
  );
}
