import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import type { ContractForm } from '#components/forms/use-contract-form.ts';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { currentUserQuery } from '#lib/session.ts';
import type { MappedValue, ProviderValues } from './provider-form.ts';
import { teamsQuery } from './queries.ts';
import styles from './section.module.css';

export type ProviderForm = Pick<
  ContractForm<ProviderValues, unknown>,
  'values' | 'bind' | 'bindChecked' | 'setValue'
>;

const prompts = [
  { value: '', label: 'As the provider decides' },
  { value: 'select_account', label: 'Choose an account' },
  { value: 'login', label: 'Sign in again' },
  { value: 'consent', label: 'Consent again' },
] as const;

const roleOptions = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Administrator' },
] as const;

const defaultRoles = [...roleOptions, { value: '', label: 'No access' }] as const;

export function FurtherFields({ form }: { form: ProviderForm }) {
  const { bind, bindChecked } = form;
  const { data: user } = useQuery(currentUserQuery);
  const isOperator = user?.role.permissions.includes('super_admin') ?? false;
  return (
    <div className={styles.rules}>
      <TextField
        label="Name"
        placeholder="Host of the issuer"
        description="On the button of the sign-in page."
        {...bind('name')}
      />
      <SelectField
        label="Role without a matching group"
        options={defaultRoles}
        description="Sluice never assigns the role super administrator."
        {...bind('default_role')}
      />
      <AccessFields form={form} />
      <TextField label="Scopes" autoCapitalize="none" spellCheck={false} {...bind('scopes')} />
      <SelectField label="Prompt" options={prompts} {...bind('prompt')} />
      <SwitchField
        label="Treat emails as verified if the claim is missing"
        description="For directories without the claim email_verified, such as Entra ID, in which only administrators set addresses."
        {...bindChecked('trusts_emails')}
      />
      {isOperator && (
        <SwitchField
          label="For all organizations"
          description="Users sign in to the organization that owns the domain of their email."
          {...bindChecked('is_shared')}
        />
      )}
      <SwitchField
        label="Enabled"
        description="Disabling the provider signs out the users who signed in with it."
        {...bindChecked('is_enabled')}
      />
    </div>
  );
}

/** The fields decide who may sign in. */
function AccessFields({ form }: { form: ProviderForm }) {
  const { bind, bindChecked } = form;
  return (
    <>
      <TextField
        label="Role claim"
        autoCapitalize="none"
        spellCheck={false}
        description="Path to a text or a list, such as groups, roles or realm_access.roles."
        {...bind('role_claim')}
      />
      <TextField
        label="Team claim"
        autoCapitalize="none"
        spellCheck={false}
        description="Can be the same claim."
        {...bind('team_claim')}
      />
      <MappingFields form={form} />
      <SwitchField
        label="New users get an account"
        description="Otherwise only invited users and those with an account can sign in."
        {...bindChecked('creates_users')}
      />
      <TextField
        label="Email domains"
        placeholder="All domains of the organization"
        autoCapitalize="none"
        spellCheck={false}
        description="Only users with an email of these domains sign in here, separated by commas."
        {...bind('email_domains')}
      />
    </>
  );
}

/** If several rules match, the highest role applies. */
function MappingFields({ form }: { form: ProviderForm }) {
  const rules = form.values.mapping;
  return (
    <fieldset className={styles.rules}>
      <legend className={styles.legend}>Groups</legend>
      <p className={styles.hint}>
        If several groups match, the highest role applies. A role assigned by an administrator is never
        changed.
      </p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id
        <RuleFields key={index} form={form} rule={rule} index={index} />
      ))}
      <div>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => form.setValue('mapping', [...rules, { value: '', role: null, team: null }])}
        >
          Add group
        </Button>
      </div>
    </fieldset>
  );
}

interface RuleFieldsProps {
  form: ProviderForm;
  rule: MappedValue;
  index: number;
}

function RuleFields({ form: { values, bind, setValue }, rule, index }: RuleFieldsProps) {
  const { data: teams = [] } = useQuery(teamsQuery);
  const change = (changed: Partial<MappedValue>) =>
    setValue(
      'mapping',
      values.mapping.map((one, at) => (at === index ? { ...one, ...changed } : one)),
    );
  const remove = () =>
    setValue(
      'mapping',
      values.mapping.filter((_, at) => at !== index),
    );
  return (
    <div className={styles.rule}>
      <TextField label={`Group ${index + 1}`} {...bind(`mapping.${index}.value`)} />
      <SelectField
        label="Role"
        placeholder="No role"
        options={roleOptions}
        value={rule.role}
        onChange={(role) => change({ role: role === 'user' || role === 'admin' ? role : null })}
      />
      <SelectField
        label="Team"
        placeholder="No team"
        options={teams.map(({ name }) => ({ value: name, label: name }))}
        value={rule.team}
        onChange={(name) => change({ team: name === '' ? null : name })}
      />
      <IconButton label={`Remove group ${index + 1}`} icon={DeleteIcon} onClick={remove} />
    </div>
  );
}
