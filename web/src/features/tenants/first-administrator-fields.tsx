import { EmailField, TextField } from '../../components/forms/text-field.tsx';
import type { ContractForm } from '../../components/forms/use-contract-form.ts';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import styles from './first-administrator-fields.module.css';

interface AdministratorValues {
  administrator_email: string;
  /** Absent if the administrator is invited. */
  administrator_name: string | undefined;
  administrator_password: string | undefined;
}

const ways = [
  { value: 'invitation', label: 'Invite by mail' },
  { value: 'account', label: 'Create account' },
] as const;

interface FirstAdministratorFieldsProps {
  form: Pick<ContractForm<AdministratorValues, unknown>, 'values' | 'bind' | 'setValue'>;
}

/** Administrator of a new tenant: invited, or created directly. */
export function FirstAdministratorFields({ form }: FirstAdministratorFieldsProps) {
  const way = form.values.administrator_name === undefined ? 'invitation' : 'account';
  const chooseWay = (chosen: typeof way) => {
    const start = chosen === 'account' ? '' : undefined;
    form.setValue('administrator_name', start);
    form.setValue('administrator_password', start);
  };
  return (
    <fieldset className={styles.administrator}>
      <legend>First administrator</legend>
      <SegmentedSwitch
        label="How the first administrator gets an account"
        options={ways}
        value={way}
        onChange={chooseWay}
      />
      <EmailField label="Email" {...form.bind('administrator_email')} autoComplete="off" />
      {way === 'account' && (
        <>
          <TextField label="Full Name" {...form.bind('administrator_name')} />
          <PasswordField
            label="Password"
            placeholder="Min. 6 characters"
            autoComplete="new-password"
            {...form.bind('administrator_password')}
          />
        </>
      )}
    </fieldset>
  );
}
