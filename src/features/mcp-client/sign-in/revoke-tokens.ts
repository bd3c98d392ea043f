import { discoverOAuthServerInfo, type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client';
import { fieldOf } from '../../../tools/util/plain-value.ts';
import type { SavedSignIn } from './sign-in-format.ts';

/** Has a login's server forget the tokens (RFC 7009), where it offers that. The token that makes others goes first. */
export async function revokeTokens(server: string, { client, tokens, described }: SavedSignIn, fetchFn: FetchLike): Promise<void> {
  const { authorizationServerMetadata: login } = await discoverOAuthServerInfo(server, {
    fetchFn,
    ...(described ? { resourceMetadataUrl: new URL(described) } : {}),
  });
  const address = fieldOf(login, 'revocation_endpoint');
  // Tokens of one login are shown to no other.
  if (!client || !tokens || typeof address !== 'string' || login?.issuer !== tokens.issuer) return;
  const { refresh_token: refresh, access_token: access } = tokens;
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  const fields: Record<string, string> = { client_id: client.client_id };
  const { client_id: id, client_secret: secret } = client;
  const way = selectClientAuthMethod(client, login?.token_endpoint_auth_methods_supported ?? []);
  if (secret !== undefined && way === 'client_secret_basic')
    headers.authorization = `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
  else if (secret !== undefined) fields.client_secret = secret;
  for (const [token, kind] of [
    [refresh, 'refresh_token'],
    [access, 'access_token'],
  ] as const)
    if (token !== undefined)
      await fetchFn(address, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ ...fields, token, token_type_hint: kind }).toString(),
      });
}
