/** An e-mail address. A line that is too short for it ends after its @. */
export function EmailText({ email }: { email: string }) {
  const end = email.lastIndexOf("@") + 1;
  return (
    <bdi className="wrap-anywhere">
      {email.slice(0, end)}
      <wbr />
      {email.slice(end)}
    </bdi>
  );
}
