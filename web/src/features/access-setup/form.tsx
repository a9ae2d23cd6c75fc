import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { CheckboxField } from '#components/forms/checked-fields.tsx';
import { focusFirstField } from '#components/forms/form.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { DialogFooter } from '#components/ui/dialog.tsx';
import { useDialogClose } from '#components/ui/dialog-layer.ts';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { explain } from '#lib/describe-failure.ts';
import {
  type AccessChoices,
  type AccessFields,
  type AccessSubject,
  findRest,
  type GivenAccess,
  modelToTry,
  suggestFields,
  toPlan,
} from './plan.ts';
import { useGiveAccess } from './queries.ts';
import styles from './setup.module.css';

interface AccessFormProps {
  user: AccessSubject;
  choices: AccessChoices;
  offersKey: boolean;
  onGiven: (given: GivenAccess) => void;
}

export function AccessForm({ user, choices, offersKey, onGiven }: AccessFormProps) {
  const [fields, setFields] = useState(() => suggestFields(user, choices));
  const { mutate, isPending, error, failedPart } = useGiveAccess(user);
  const close = useDialogClose();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    mutate(toPlan({ ...fields, hasKey: offersKey && fields.hasKey }, choices), {
      onSuccess: ({ secret, permitted }) => {
        const model = modelToTry(permitted, choices);
        onGiven({ secret, model, missing: findRest(user, fields, model) });
      },
    });
  };
  return (
    <form
      ref={focusFirstField}
      className={styles.setup}
      aria-label={`Access for ${user.name}`}
      onSubmit={submit}
      noValidate
    >
      <AccessFieldset
        choices={choices}
        fields={fields}
        offersKey={offersKey}
        onChange={setFields}
        needs={user}
      />
      <div role="alert" className={styles.problem}>
        {error && <StatusMark kind="bad">{explain(failures[failedPart], error)}</StatusMark>}
      </div>
      <DialogFooter>
        {close && (
          <Button variant="default" onClick={close}>
            Not now
          </Button>
        )}
        <Button type="submit" aria-disabled={isPending} data-pending={isPending || undefined}>
          {isPending ? 'Giving access...' : 'Give access'}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Parts that succeeded before a failure are kept. */
const failures = {
  task: 'The task could not be assigned',
  models: 'The models could not be granted',
  key: 'The API key could not be created',
};

interface AccessFieldsetProps {
  choices: AccessChoices;
  fields: AccessFields;
  offersKey: boolean;
  onChange: (fields: AccessFields) => void;
  needs: AccessSubject;
}

function AccessFieldset({ choices, fields, offersKey, onChange, needs }: AccessFieldsetProps) {
  const { role_name, missing } = needs;
  const isUser = role_name === 'user';
  const keep = (part: 'task' | 'models') => {
    if (!isUser) return 'None (not required for administrators)';
    return missing.includes(part) ? 'None for now' : 'No change';
  };
  return (
    <>
      <SelectField
        label="Task"
        description="Every request of a user belongs to a task."
        placeholder={keep('task')}
        options={[
          ...(isUser ? [{ value: 'api-access', label: 'API access, for requests without a task' }] : []),
          ...choices.tasks.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        value={fields.task}
        onChange={(task) => onChange({ ...fields, task })}
      />
      <SelectField
        label="Models"
        description={<ModelsHint choices={choices} />}
        placeholder={keep('models')}
        options={[
          ...choices.teams.map(({ id, name }) => ({ value: `team:${id}`, label: `Team ${name}` })),
          ...(isUser ? choices.providers : []).map(nameProvider),
        ]}
        value={fields.models}
        onChange={(models) => onChange({ ...fields, models })}
      />
      {offersKey && (
        <CheckboxField
          label="Create an API key"
          description={choices.hasKey ? 'The user already has an API key. It does not change.' : undefined}
          disabled={choices.hasKey}
          checked={fields.hasKey}
          onChange={({ currentTarget }) => onChange({ ...fields, hasKey: currentTarget.checked })}
        />
      )}
    </>
  );
}

function ModelsHint({ choices: { teams, providers } }: Pick<AccessFieldsetProps, 'choices'>) {
  if (teams.length + providers.length > 0)
    return 'Through a team, or all models that a provider currently enables.';
  return (
    <>
      No provider offers a model yet. Add one in <Link to="/admin/llm-providers">LLM Providers</Link>.
    </>
  );
}

function nameProvider({
  id,
  provider_instance_name: name,
  enabled_models,
}: AccessChoices['providers'][number]) {
  const models = enabled_models.length === 1 ? 'its model' : `all ${enabled_models.length} models`;
  return { value: `provider:${id}`, label: `${name}: ${models}` };
}
