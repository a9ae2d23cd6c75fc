import { type ApiKey, type ApiKeyDialect, apiKeyDialects } from '@sluice/contract';
import { useState } from 'react';
import { z } from 'zod';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { Form } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextAreaField, TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { RecentUse } from '#components/ui/recent-use.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { CheckboxesField, type ChoiceBinding } from './checkboxes-field.tsx';
import { listLifetimes, regenerateForm } from './choices.ts';
import { ScopesField } from './key-dialog.tsx';
import { keepExpiry, namedKeyForm, toFields } from './named-key-form.ts';
import type { NamedKeys } from './named-keys-queries.ts';
import { NewKey } from './new-key.tsx';
import { OverlapField } from './overlap-field.tsx';

export const dialectLabels: Record<ApiKeyDialect, string> = {
  'openai-chat': 'OpenAI chat and embeddings',
  'openai-responses': 'OpenAI responses',
  'anthropic-messages': 'Anthropic',
  gemini: 'Gemini',
};

const dialectOptions = apiKeyDialects.map((value) => ({ value, label: dialectLabels[value] }));

function DialectsField(binding: ChoiceBinding) {
  return (
    <CheckboxesField
      label="Protocols"
      description="Without a selection, all of them."
      options={dialectOptions}
      {...binding}
    />
  );
}

interface NamedKeyDialogProps {
  apiKey: ApiKey | null;
  named: NamedKeys;
  isOpen: boolean;
  onClose: () => void;
}

export function NamedKeyDialog({ isOpen, onClose, ...props }: NamedKeyDialogProps) {
  const title = props.apiKey ? `Edit ${props.apiKey.name}` : 'Create named key';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <NamedKeyForm {...props} onDone={onClose} />
    </Dialog>
  );
}

type NamedKeyFormProps = Pick<NamedKeyDialogProps, 'apiKey' | 'named'> & { onDone: () => void };

function NamedKeyForm({ apiKey, named, onDone }: NamedKeyFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const form = useContractForm({ schema: namedKeyForm, initialValues: toFields(apiKey) });
  if (secret !== null) return <NewKey secret={secret} onStored={onDone} />;
  const { models, tasks } = named.choices;
  const lifetimes = listLifetimes(null).options;
  const expiries = apiKey ? [{ value: keepExpiry, label: 'Unchanged' }, ...lifetimes] : lifetimes;
  return (
    <Form
      form={form}
      submitLabel={apiKey ? 'Save changes' : 'Create key'}
      pendingLabel={apiKey ? 'Saving...' : 'Creating...'}
      fallbackProblem={apiKey ? 'Failed to change the key' : 'Failed to create the key'}
      needsChange={apiKey !== null}
      onSubmit={async (body) => {
        if (!apiKey) return setSecret((await named.create(body)).api_key);
        await named.update(apiKey.id, body);
        showSuccess('API key changed');
        onDone();
      }}
    >
      <TextField label="Name" placeholder="CI of the billing service" data-autofocus {...form.bind('name')} />
      <SelectField label="Expires" options={expiries} {...form.bind('expires_at')} />
      <ScopesField {...form.bind('scopes')} />
      <ChecklistField
        label="Models (without a selection, all of the owner's)"
        options={[...new Set([...models, ...(apiKey?.models ?? [])])]}
        emptyText="The owner does not have access to any model yet"
        {...form.bind('models')}
      />
      <DialectsField {...form.bind('dialects')} />
      <TextAreaField
        label="Networks (one per line; empty allows all)"
        placeholder="203.0.113.0/24"
        {...form.bind('allowed_networks')}
      />
      <SelectField
        label="Default task"
        description="Used for requests that do not name a task."
        options={[
          { value: '', label: 'None' },
          ...tasks.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
        {...form.bind('task_id')}
      />
      <TextAreaField label="Labels (one per line)" placeholder="cost_center=4711" {...form.bind('labels')} />
    </Form>
  );
}

interface RotateDialogProps {
  apiKey: ApiKey;
  named: NamedKeys;
  isOpen: boolean;
  onClose: () => void;
}

/** The new key has the same restrictions. Its secret is shown once. */
export function RotateDialog({ isOpen, onClose, ...props }: RotateDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Rotate ${props.apiKey.name}`}>
      <RotateForm {...props} onDone={onClose} />
    </Dialog>
  );
}

const rotateSchema = z.object({ overlap_seconds: regenerateForm.shape.overlap_seconds });

function RotateForm({
  apiKey,
  named,
  onDone,
}: Omit<RotateDialogProps, 'isOpen' | 'onClose'> & { onDone: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const form = useContractForm({ schema: rotateSchema, initialValues: { overlap_seconds: '86400' } });
  if (secret !== null) return <NewKey secret={secret} onStored={onDone} />;
  return (
    <Form
      form={form}
      submitLabel="Rotate key"
      pendingLabel="Rotating..."
      fallbackProblem="Failed to rotate the key"
      isDanger={form.values.overlap_seconds === '0'}
      isGuarded={false}
      onSubmit={async (body) => setSecret((await named.rotate(apiKey.id, body.overlap_seconds)).api_key)}
    >
      <p>Creates a new key with the same name and restrictions.</p>
      <RecentUse of={{ api_key_id: apiKey.id }} owner={apiKey.user_name} />
      <OverlapField {...form.bind('overlap_seconds')} />
    </Form>
  );
}
