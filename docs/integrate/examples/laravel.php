<?php

// Routes of a shop with Laravel. Require this file in routes/api.php, whose routes need no CSRF token. It uses
// - config/services.php: 'paylink' => ['url' => env('PAYLINK_URL'), 'key' => env('PAYLINK_KEY'), 'secret' => env('PAYLINK_WEBHOOK_SECRET')]
// - a table `orders`: id (string, primary key), amount (string), refid (string, null), state (string), seq (integer), is_paid (boolean)

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Route;

Route::post('/buy', function () {
    $id = bin2hex(random_bytes(8));
    $order = ['id' => $id, 'amount' => '12.50', 'state' => 'new', 'seq' => 0, 'is_paid' => false];
    DB::table('orders')->insert($order);
    $key = config('services.paylink.key');
    $page = config('app.url') . "/orders/$id";
    $answer = Http::withHeaders([
        str_starts_with($key, 'pl_test_') ? 'x-staging-api-key' : 'x-api-key' => $key,
        'idempotency-key' => $id,
    ])->timeout(30)->post(config('services.paylink.url') . '/v1/payment-links', [
        'amount' => $order['amount'], // from your books, never from the browser
        'amount_currency' => 'usd',
        'payment_reference' => $id,
        'customer_details' => ['email' => 'ada@example.com', 'first_name' => 'Ada', 'last_name' => 'Obi'],
        'success_url' => $page,
        'cancel_url' => $page,
    ])->throw()->json('data');
    DB::table('orders')->where('id', $id)->update(['refid' => $answer['refid']]);
    return redirect()->away($answer['payment_link'], 303);
});

Route::post('/webhooks', function (Request $request) {
    $body = $request->getContent(); // the raw bytes are what was signed
    $at = $request->header('webhook-timestamp', '');
    $key = base64_decode(substr((string) config('services.paylink.secret'), strlen('whsec_')));
    abort_if($key === '', 500, 'PAYLINK_WEBHOOK_SECRET is not set'); // anyone can sign with an empty key
    $signed = $request->header('webhook-id', '') . ".$at.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $signatures = explode(' ', $request->header('webhook-signature', ''));
    $right = array_filter($signatures, fn (string $one) => hash_equals($expected, $one));
    if ($right === [] || abs(time() - (int) $at) > 300) {
        return response()->noContent(401);
    }
    ['data' => $data] = json_decode($body, true);
    DB::transaction(function () use ($data) {
        // A repeated or older event has no higher seq. The state says whether the whole amount is paid and final.
        if (!isset($data['seq'])) {
            return;
        }
        $order = ['id' => $data['payment_reference'], 'refid' => $data['refid']];
        $news = ['seq' => $data['seq'], 'state' => $data['state']];
        if (DB::table('orders')->where($order)->where('seq', '<', $data['seq'])->update($news) === 0) {
            return;
        }
        $isPaid = in_array($data['state'], ['completed', 'overpaid']);
        $unpaid = DB::table('orders')->where($order + ['is_paid' => false]);
        if ($isPaid && $unpaid->update(['is_paid' => true]) === 1) {
            error_log("order {$data['payment_reference']} is paid"); // ship it
        }
        if (!$isPaid && DB::table('orders')->where($order + ['is_paid' => true])->exists()) {
            error_log("order {$data['payment_reference']} is not paid any more"); // a reorganization: stop it until it is again
        }
    });
    return response()->noContent();
});

Route::get('/orders/{id}', function (string $id) {
    $order = DB::table('orders')->find($id) ?? abort(404);
    return response($order->state);
});
