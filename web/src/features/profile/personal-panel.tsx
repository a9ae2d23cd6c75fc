import { Button } from '@mantine/core';
import { type UserProfile, updateProfileBody } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '../../components/forms/form.tsx';
import { EmailField, TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { useRename } from './queries.ts';
import styles from './screen.module.css';

/** Name and e-mail; the name can be changed. */
export function PersonalPanel({ profile }: { profile: UserProfile }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <section className={styles.panel} aria-label="Personal information">
      <h2>Personal Information</h2>
      {isEditing ? (
        <NameForm profile={profile} onDone={() => setEditing(false)} />
      ) : (
        <>
          <FactList>
            <Fact name="Name">{profile.name}</Fact>
            <Fact name="Email">{profile.email}</Fact>
          </FactList>
          <div className={styles.actions}>
            <Button variant="default" onClick={() => setEditing(true)}>
              Edit
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function NameForm({ profile, onDone }: { profile: UserProfile; onDone: () => void }) {
  const rename = useRename();
  const form = useContractForm({ schema: updateProfileBody, initialValues: { name: profile.name } });
  return (
    <>
      <Form
        form={form}
        submitLabel="Save Changes"
        pendingLabel="Saving..."
        fallbackProblem="Failed to update profile"
        onSubmit={async ({ name }) => {
          await rename.mutateAsync(name);
          showSuccess('Profile updated');
          onDone();
        }}
      >
        <TextField label="Name" autoComplete="name" data-autofocus {...form.bind('name')} />
        <EmailField
          label="Email"
          value={profile.email}
          description="Email cannot be changed"
          disabled
          readOnly
        />
      </Form>
      <div className={styles.actions}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </>
  );
}
