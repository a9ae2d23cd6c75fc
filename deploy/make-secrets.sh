#!/bin/sh
# Creates the secrets that compose.yaml reads in deploy/secrets; existing ones are kept.
set -eu
folder=$(dirname "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
make() {
  [ -s "$folder/$1" ] || head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$folder/$1"
  # Readable by the user of the containers, which differs; the folder itself is closed to other users.
  chmod 444 "$folder/$1"
}
make master-key
make database-password
printf 'postgres://sluice:%s@database:5432/sluice' "$(cat "$folder/database-password")" >"$folder/database-url"
chmod 444 "$folder/database-url"
echo "The secrets are in $folder. Keep a copy of master-key: without it nothing encrypted can be read."
