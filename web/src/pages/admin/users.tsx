import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { UserCounts } from '../../features/users/user-counts.tsx';
import { searchUsers } from '../../features/users/user-list.ts';
import { usersQuery } from '../../features/users/users-query.ts';
import { UsersTable } from '../../features/users/users-table.tsx';
import { messageOf } from '../../lib/message-of.ts';
import styles from './users.module.css';

export function UsersPage() {
  const { data: users, error, refetch } = useQuery(usersQuery);
  const [search, setSearch] = useState('');

  return (
    <>
      <PageHeader title="User Management" subtitle="Manage users, quotas, and access permissions" />
      <div className={styles.tools}>
        <TextInput
          className={styles.search}
          type="search"
          aria-label="Search users"
          placeholder="Search users by name or email..."
          leftSection={<Search size={16} strokeWidth={1.5} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {users && <UserCounts users={users} />}
      </div>
      {error && (
        <Failure message={`Error loading users: ${messageOf(error)}`} error={error} onRetry={refetch} />
      )}
      {(users || !error) && (
        <UsersTable users={users && searchUsers(users, search)} isSearching={search.trim() !== ''} />
      )}
    </>
  );
}
