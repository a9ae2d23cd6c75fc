export { usersQuery } from './queries.ts';
