/** The stored tokens: encrypted, with the id of the key and a version that each write raises. */
export interface StoredTokens {
  version: number;
  keyId: string | null;
  jwe: string | null;
  /** A process may have sent this entry's refresh token, which is good for one use: it must not be sent again. */
  refreshTokenUsed: boolean;
}

/** Where several processes share the tokens of one account. Its lease lets one of them at a time fetch new ones. */
export interface TokenStore {
  read(): Promise<StoredTokens>;
  /**
   * Takes the lease for `forMs` if it is free or has expired and the entry still has this `version`. From then on the
   * entry's refresh token counts as used. Returns whether the lease was taken.
   */
  takeLease(owner: string, version: number, forMs: number): Promise<boolean>;
  /** Replaces the entry of this `version` and releases the lease, if `owner` still has it. Returns whether it did. */
  write(owner: string, version: number, entry: { keyId: string; jwe: string }): Promise<boolean>;
  /** Releases the lease, if `owner` still has it. */
  releaseLease(owner: string): Promise<void>;
}
