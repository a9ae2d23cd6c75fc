import { SelectField } from '../../components/forms/select-field.tsx';

export const memberRoleOptions = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const;

const meanings: Readonly<Record<string, string>> = {
  member: 'Can access team resources.',
  admin: 'Can manage the team and its members.',
};

interface MemberRoleFieldProps {
  value?: string;
  onChange: (role: string) => void;
}

export function MemberRoleField({ value = 'member', ...props }: MemberRoleFieldProps) {
  return (
    <SelectField
      label="Role"
      options={memberRoleOptions}
      description={meanings[value]}
      value={value}
      {...props}
    />
  );
}
